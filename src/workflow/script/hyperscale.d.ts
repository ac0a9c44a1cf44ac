// Types of the module "hyperscale" and of the globals that a workflow file has. For editors: hover, completion, checking.

declare module 'hyperscale' {
  /** "30s", "1m30s", "250ms", or a number of milliseconds. */
  export type Duration = string | number;

  export interface Stage {
    duration: Duration;
    /** Virtual users, or iterations per second when `rate` is set. */
    target: number;
  }

  export interface Threshold {
    /** Such as "p95 < 300ms". */
    threshold: string;
    step?: string;
    check?: string;
    /** "name=value" of a tag. */
    tag?: string;
    /** A metric of this file. */
    metric?: string;
    /** End the run as soon as it fails, after `delay`. */
    abortOnFail?: boolean;
    delay?: Duration;
  }

  /** A workflow is an exported class; its fields are what it does, its static fields how. */
  export class Workflow {
    /** Virtual users. */
    static vus?: number;
    static duration?: Duration;
    /** Claim to processor cores against other workflows. */
    static priority?: 'low' | 'normal' | 'high' | 'exclusive' | 'auto' | (string & {});
    /** Iterations started per second, whatever the answers do. */
    static rate?: number;
    static stages?: Stage[];
    static iterations?: number;
    static thinkTime?: Duration;
    static warmup?: Duration;
    static startAfter?: Duration;
    /** Workflows that run before this one. */
    static depends?: string | string[];
    static tags?: Record<string, string | number>;
    static thresholds?: Array<string | Threshold> | Record<string, string | Threshold | Array<string | Threshold>>;
    /** Files whose rows are dealt out, one of each to every iteration, under these names. */
    static data?: Record<string, DataFile>;
    /** How many redirects are followed, or "anywhere": also to hosts and ports that no URL names. */
    static redirects?: number | 'anywhere';
    /** Each iteration begins without cookies and with new connections. */
    static newUserPerIteration?: boolean;
    /** Put before every URL that begins with "/". */
    static baseUrl?: string;
  }

  export interface Response {
    /** 0 when there was no answer; then `error` says why. */
    readonly status: number;
    /** A status from 100 to 399. */
    readonly ok: boolean;
    /** Milliseconds. */
    readonly duration: number;
    readonly url: string;
    /** Names in lower case. */
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly error?: string;
    header(name: string): string | undefined;
    text(): string;
    json(): any;
  }

  export type Body = string | Uint8Array | ArrayBuffer | URLSearchParams | Multipart | object | DataArgument;
  export type Auth = { user: string; password?: string } | { bearer: string } | string;
  export type Values = Record<string, string | number | boolean | Array<string | number | boolean>>;

  export interface RequestOptions {
    headers?: Values | HeadersArgument;
    params?: Values | ParamsArgument;
    cookies?: Values | CookiesArgument;
    auth?: Auth | AuthArgument;
    /** One of data, json and form. */
    data?: Body;
    json?: unknown;
    form?: Values;
    /** What counts as a success; by default a status below 400. */
    expect?: number | number[] | { status?: number | number[]; bodyContains?: string };
    timeout?: Duration;
    /** In results, instead of the step's name. */
    name?: string;
    tags?: Record<string, string | number>;
    group?: string;
  }

  export type Target = string | URL | UrlArgument;

  export interface HttpClient<Result> {
    get(url: Target, options?: RequestOptions): Result;
    post(url: Target, options?: RequestOptions): Result;
    put(url: Target, options?: RequestOptions): Result;
    patch(url: Target, options?: RequestOptions): Result;
    delete(url: Target, options?: RequestOptions): Result;
    head(url: Target, options?: RequestOptions): Result;
    options(url: Target, options?: RequestOptions): Result;
    request(method: string, url: Target, options?: RequestOptions): Result;
  }

  export interface GraphqlOptions extends Omit<RequestOptions, 'data' | 'json' | 'form'> {
    /** The document: a query or a mutation. */
    query: string;
    variables?: Record<string, unknown>;
    /** Which operation, if the document has several. */
    operationName?: string;
  }

  export interface Cookie {
    readonly name: string;
    readonly value: string;
    readonly domain: string;
    readonly path: string;
    readonly secure: boolean;
    readonly httpOnly: boolean;
    /** Missing: it lives as long as the user. */
    readonly expires?: Date;
  }
  export interface CookieOptions {
    path?: string;
    domain?: string;
    maxAge?: Duration;
    secure?: boolean;
    httpOnly?: boolean;
  }
  /** The cookies of this virtual user. */
  export interface Cookies {
    /** Those that would be sent to the URL, in that order. */
    get(url: Target): Cookie[];
    /** The value of one of them. */
    get(url: Target, name: string): string | undefined;
    set(url: Target, name: string, value: string | number, options?: CookieOptions): void;
    /** All of them, or those that belong to the URL. */
    clear(url?: Target): void;
  }

  export interface RawOptions {
    /** What is sent: a text as UTF-8, or bytes as they are. Over UDP one datagram. */
    send: string | Uint8Array | ArrayBuffer;
    /** What the answer ends with; over UDP it is in the last datagram of it. */
    until?: string | Uint8Array | ArrayBuffer;
    /** TCP: or how many bytes it has. With neither it is the first bytes that arrive. */
    read?: number;
    /** A text that the answer must contain. */
    expect?: string | { bodyContains?: string };
    timeout?: Duration;
    /** In results, instead of the step's name. */
    name?: string;
    tags?: Record<string, string | number>;
    group?: string;
  }

  /** The answer to raw bytes. There is no status. */
  export interface RawResponse {
    /** There was an answer; otherwise `error` says why not. */
    readonly ok: boolean;
    /** Milliseconds. */
    readonly duration: number;
    readonly url: string;
    /** As UTF-8. */
    readonly body: string;
    readonly bytes: Uint8Array;
    readonly error?: string;
    text(): string;
  }

  export interface Client {
    readonly cookies: Cookies;
    readonly http: HttpClient<Promise<Response>>;
    /** tcp://host:port or tls://host:port. A user keeps its connection. */
    tcp(url: Target, options: RawOptions): Promise<RawResponse>;
    /** udp://host:port: one datagram out, one back. */
    udp(url: Target, options: RawOptions): Promise<RawResponse>;
    /** An answer that has `errors` counts as failed. */
    graphql(url: Target, options: GraphqlOptions): Promise<Response>;
  }

  /** In a field: a request that runs natively. Inside a running hook: sends at once, as `client.http` does. */
  export const http: HttpClient<Request & Promise<Response>>;
  /** In a field: raw bytes that are sent natively. Inside a running hook: as `client.tcp`. */
  export function tcp(url: Target, options: RawOptions): Request & Promise<RawResponse>;
  export function udp(url: Target, options: RawOptions): Request & Promise<RawResponse>;
  export interface Request {
    readonly kind: 'request';
  }

  export interface Context {
    get<T = any>(name: string, fallback?: T): T;
    set(name: string, value: unknown): void;
    has(name: string): boolean;
  }

  /** What every hook is given: results by step name, rows of data, values of the context, and these. */
  export interface Given {
    readonly client: Client;
    readonly context: Context;
    /** Number of this virtual user in the whole run, from 0. */
    readonly vu: number;
    readonly iteration: number;
    [name: string]: any;
  }
  export type Hook<Result> = (given: Given) => Result | Promise<Result>;
  export type Type<T> = abstract new (...args: any[]) => T;
  export interface StepOptions {
    depends?: string | string[];
    tags?: Record<string, string | number>;
    group?: string;
  }
  export interface Step {
    readonly kind: 'step';
  }

  /** A request that runs natively. */
  export function step(request: Request): Step;
  export function step(depends: string | string[], request: Request): Step;
  export function step(options: StepOptions, request: Request): Step;
  /** Measured: returns the one response that counts. */
  export function step(protocol: typeof http, hook: Hook<Response>): Step;
  export function step(protocol: typeof http, depends: string | string[] | StepOptions, hook: Hook<Response>): Step;
  export function step(protocol: typeof http, depends: string | string[], options: StepOptions, hook: Hook<Response>): Step;
  export function step(protocol: typeof tcp | typeof udp, hook: Hook<RawResponse>): Step;
  export function step(protocol: typeof tcp | typeof udp, depends: string | string[] | StepOptions, hook: Hook<RawResponse>): Step;
  /** Measured: returns a value of your own class; `ok: false` on it counts as a failure. */
  export function step<T>(type: Type<T>, hook: Hook<T>): Step;
  export function step<T>(type: Type<T>, depends: string | string[] | StepOptions, hook: Hook<T>): Step;
  /** Not measured: an action in the order of the steps. */
  export function step(hook: Hook<unknown>): Step;
  export function step(depends: string | string[] | StepOptions, hook: Hook<unknown>): Step;

  export interface ActionOptions {
    when?: 'setup' | 'teardown';
  }
  /** Runs once for the workflow. What a setup returns is part of every user's context. */
  export function action(hook: Hook<unknown>): object;
  export function action(options: ActionOptions, hook: Hook<unknown>): object;

  /** Counted as passed or failed. */
  export function check(steps: string | string[], hook: Hook<unknown>): object;

  export interface MetricOptions {
    kind?: 'counter' | 'gauge' | 'rate' | 'trend';
  }
  export function metric(steps: string | string[], hook: Hook<number | boolean>): object;
  export function metric(steps: string | string[], options: MetricOptions, hook: Hook<number | boolean>): object;

  /** Values between workflows. They pass where provider and user name each other; the field's name is the key. */
  export const state: {
    provide(workflows: string | string[], hook: Hook<unknown>): object;
    use<T>(workflows: string | string[], read: (provided: Record<string, any>) => T): () => T;
  };

  // Values that are prepared once, before the loop, when they are the default of a hook's argument.
  export interface UrlArgument { readonly kind: 'url'; toString(): string }
  export interface HeadersArgument { readonly kind: 'headers' }
  export interface ParamsArgument { readonly kind: 'params' }
  export interface CookiesArgument { readonly kind: 'cookies' }
  export interface AuthArgument { readonly kind: 'auth' }
  export interface DataArgument { readonly kind: 'data' }
  export function url(text: string): UrlArgument;
  export function headers(values: Values): HeadersArgument;
  export function params(values: Values): ParamsArgument;
  export function cookies(values: Values): CookiesArgument;
  export function auth(value: Auth): AuthArgument;
  export function data(value: Body): DataArgument;

  export interface DataFile {
    readonly kind: 'data';
  }
  export interface DataOptions {
    /** "once": each row once in the whole run; a user without a row stops. */
    deal?: 'round-robin' | 'once' | 'random';
    delimiter?: string;
  }
  export function csv(file: string, options?: DataOptions): DataFile;
  export function jsonl(file: string, options?: DataOptions): DataFile;

  /** A value given with --env; an error if there is none and no fallback. */
  export function env(name: string, fallback?: string): string;
  /** A value that never appears in a log line or an error. */
  export function secret(name: string): string;

  export interface Metric {
    readonly name: string;
    add(value?: number | boolean): void;
  }
  export function counter(name: string): Metric;
  export function gauge(name: string): Metric;
  export function rate(name: string): Metric;
  export function trend(name: string): Metric;

  /** Ends the step as failed. */
  export function fail(reason?: string): never;
  /** A client whose calls are counted under a name. */
  export function group(name: string, client?: Client): Client;
  /** Numbers from the run's seed and the number of the virtual user: two runs with one `--seed` draw the same. */
  export const random: {
    (): number;
    /** Both ends included. */
    int(low: number, high: number): number;
    pick<T>(list: readonly T[]): T;
    shuffle<T>(list: readonly T[]): T[];
    text(length: number, alphabet?: string): string;
  };
  /** Whole numbers that no other user of the run gets. */
  export function sequence(name?: string): number;
  /** With its unit: "1s", "250ms". */
  export function sleep(duration: string): Promise<void>;

  export interface Multipart {
    field(name: string, value: string | number): this;
    file(name: string, content: string | Uint8Array | ArrayBuffer, options?: { filename?: string; type?: string }): this;
    readonly contentType: string;
    bytes(): Uint8Array;
  }
  export function multipart(): Multipart;

  export type Encoding = 'hex' | 'base64' | 'base64url' | 'bytes';
  export type Bytes = string | Uint8Array | ArrayBuffer;
  export const crypto: {
    hash(algorithm: 'md5' | 'sha1' | 'sha256' | 'sha512', value: Bytes, encoding?: Encoding): string;
    hmac(algorithm: 'md5' | 'sha1' | 'sha256' | 'sha512', key: Bytes, value: Bytes, encoding?: Encoding): string;
    md5(value: Bytes, encoding?: Encoding): string;
    sha1(value: Bytes, encoding?: Encoding): string;
    sha256(value: Bytes, encoding?: Encoding): string;
    sha512(value: Bytes, encoding?: Encoding): string;
    getRandomValues<T extends ArrayBufferView>(array: T): T;
    randomUUID(): string;
  };
}
