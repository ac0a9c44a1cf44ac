// The built-in module "hyperscale", first part: what a file declares. Called while a file is described, each function
// checks what it is given and returns a declaration with the faults it found; called while a virtual user is made, it
// returns the user's function and nothing else, because ten thousand users would keep the rest.
(function (native, shared) {
  'use strict';
  const { isArray } = Array;
  const { keys, entries, freeze } = Object;

  // What is going on: 'describe', 'instantiate' or 'run'.
  shared.phase = 'describe';
  shared.metrics = new Map();
  const user = () => shared.phase !== 'describe';

  class Workflow {}

  // --- checking ------------------------------------------------------------------------------------------------------

  const show = (value) => {
    if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
    if (typeof value === 'function') return 'a function';
    if (isArray(value)) return 'a list';
    if (value === null || typeof value !== 'object') return String(value);
    return 'an object';
  };
  const didYouMean = (word, names) => {
    const near = native.nearest(String(word), names);
    return near ? `; did you mean "${near}"?` : '';
  };
  const isObject = (value) => typeof value === 'object' && value !== null && !isArray(value);

  // What a path such as "items.0.id" is in code.
  const asCode = (object, path) => {
    const names = typeof path === 'string' && path !== '' ? path.replace(/\[(\w+)\]/g, '.$1').split('.') : ['name'];
    return object + names.map((name) => (/^\d+$/.test(name) ? `[${name}]` : /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`)).join('');
  };
  const seconds = (number) => (Number.isInteger(number) ? `${number}s` : `${Math.round(number * 1000)}ms`);

  // What declares a field of a class does nothing in a function.
  const DECLARED_AS = {
    step: "name = step(http, ({ client }) => client.http.get(url))",
    check: "ok = check('step', ({ step }) => step.status === 200); in a function, fail('why') ends the step, and a rate() of the file counts what is true",
    metric: "size = metric('step', ({ step }) => step.body.length); in a function, a trend() or counter() of the file takes values",
    action: "setup = action(({ client }) => ...)",
    'state.provide': "key = state.provide('Other', () => ...)",
    'state.use': "key = state.use('Other', ({ key }) => key), and call this.key()",
    csv: "static data = { row: csv('rows.csv') }",
    jsonl: "static data = { row: jsonl('rows.jsonl') }",
  };
  const declares = (what) => {
    if (shared.phase === 'run') throw new TypeError(`${what}() declares a field of the workflow and cannot be called in a function: write ${DECLARED_AS[what]}`);
    return shared.phase !== 'describe';
  };

  // A type: what it is called, and whether a value is of it.
  const type = (name, test) => ({ name, test });
  const is = {
    text: type('a text', (v) => typeof v === 'string' && v !== ''),
    flag: type('true or false', (v) => typeof v === 'boolean'),
    count: type('a whole number above 0', (v) => Number.isSafeInteger(v) && v > 0),
    amount: type('a number above 0', (v) => typeof v === 'number' && v > 0 && v < Infinity),
    target: type('a number of at least 0', (v) => typeof v === 'number' && v >= 0 && v < Infinity),
    duration: type('a duration such as "30s" or "1m30s", or milliseconds', (v) => milliseconds(v) !== null),
    texts: type('a name or a list of names', (v) => typeof v === 'string' || (isArray(v) && v.every((x) => typeof x === 'string'))),
    map: type('an object of names and values', (v) => isObject(v) || v instanceof Prepared),
    anything: type('anything', () => true),
    url: type('a URL', (v) => typeof v === 'string' || v instanceof Prepared || v instanceof URL),
    statuses: type('a status from 100 to 599 or a list of them', (v) => [v].flat().every((s) => Number.isInteger(s) && s >= 100 && s <= 599)),
  };

  function milliseconds(value) {
    if (typeof value === 'number') return value >= 0 && value < Infinity ? value : null;
    return typeof value === 'string' ? native.parseDuration(value) : null;
  }

  // Checks an object of options against { name: type }. Faults name the option, which is also where to point.
  function checkOptions(what, options, types, faults) {
    if (options === undefined) return {};
    if (!isObject(options)) {
      faults.push({ message: `${what} takes an object of options, not ${show(options)}` });
      return {};
    }
    for (const name of keys(options)) {
      if (!Object.hasOwn(types, name)) {
        faults.push({ message: `${what} has no option "${name}"${didYouMean(name, keys(types))}`, mark: name });
      } else if (options[name] !== undefined && !types[name].test(options[name])) {
        faults.push({ message: `option "${name}" of ${what} must be ${types[name].name}, not ${show(options[name])}`, mark: name });
      }
    }
    return options;
  }

  const listOf = (names) => (names === undefined ? [] : [names].flat());
  const tagList = (tags) => entries(tags ?? {}).map(([name, value]) => [name, String(value)]);

  // --- arguments that are prepared before the loop -----------------------------------------------------------------

  class Prepared {
    constructor(kind, value) {
      this.kind = kind;
      this.value = value;
      this.id = 0; // of the host, when it has prepared it
    }
    toString() {
      return this.kind === 'url' ? this.value : `[${this.kind}]`;
    }
  }
  const plainMap = (what, value) => {
    if (!isObject(value)) throw new TypeError(`${what}() takes an object of names and values, not ${show(value)}`);
    return entries(value).flatMap(([name, v]) => listOf(v).map((each) => [name, String(each)]));
  };
  const url = (text) => {
    if (typeof text !== 'string') throw new TypeError(`url() takes a text, not ${show(text)}`);
    return new Prepared('url', text);
  };
  const headers = (map) => new Prepared('headers', plainMap('headers', map));
  const params = (map) => new Prepared('params', plainMap('params', map));
  const cookies = (map) => new Prepared('cookies', plainMap('cookies', map));
  const auth = (value) => new Prepared('auth', authorization(value));
  const data = (value) => new Prepared('data', bodyOf(value));

  function authorization(value) {
    if (isObject(value)) {
      if (typeof value.bearer === 'string') return `Bearer ${value.bearer}`;
      if (typeof value.user === 'string') return `Basic ${btoa(shared.utf8Binary(`${value.user}:${value.password ?? ''}`))}`;
    }
    if (typeof value === 'string') return value;
    throw new TypeError(`auth must be { user, password }, { bearer } or the text of the header, not ${show(value)}`);
  }

  // Body and its type. Objects and lists are sent as compact JSON.
  function bodyOf(value) {
    if (typeof value === 'string') return { body: value, contentType: 'text/plain; charset=utf-8' };
    if (value instanceof URLSearchParams) return { body: value.toString(), contentType: 'application/x-www-form-urlencoded' };
    if (value instanceof shared.Multipart) return { body: value.bytes(), contentType: value.contentType };
    if (value instanceof Uint8Array) return { body: value, contentType: 'application/octet-stream' };
    if (value instanceof ArrayBuffer) return { body: new Uint8Array(value), contentType: 'application/octet-stream' };
    if (typeof value === 'object' && value !== null) return jsonBody(value);
    throw new TypeError(`data must be a text, bytes, a form or an object, not ${show(value)}`);
  }
  const jsonBody = (value) => ({ body: JSON.stringify(value), contentType: 'application/json' });

  // --- requests ------------------------------------------------------------------------------------------------------

  const EXPECT = { status: is.statuses, bodyContains: is.text };
  const REQUEST = {
    headers: is.map, params: is.map, cookies: is.map, auth: is.anything, data: is.anything, json: is.anything, form: is.map,
    expect: type('{ status, bodyContains } or a status', (v) => isObject(v) || is.statuses.test(v)),
    timeout: is.duration, name: is.text, tags: is.map, group: is.text,
  };

  // A GraphQL request makes its own body.
  const { data: ofData, json: ofJson, form: ofForm, ...WITHOUT_BODY } = REQUEST;
  const GRAPHQL = { query: is.text, variables: type('an object', isObject), operationName: is.text, ...WITHOUT_BODY, headers: type('an object of names and values', isObject) };

  // A raw request is bytes out and an answer back: texts are sent as UTF-8, bytes as they are.
  const isBytes = (v) => (typeof v === 'string' && v !== '') || ((v instanceof Uint8Array || v instanceof ArrayBuffer) && v.byteLength > 0);
  const bytes = type('a text or bytes, and not empty', isBytes);
  const RAW = {
    send: bytes, until: bytes, read: is.count,
    expect: type('{ bodyContains } or a text', (v) => is.text.test(v) || isObject(v)),
    timeout: is.duration, name: is.text, tags: is.map, group: is.text,
  };
  const RAW_EXPECT = { bodyContains: is.text };

  function checkRaw(protocol, target, options, faults) {
    const schemes = protocol === 'udp' ? 'udp://host:port' : 'tcp://host:port or tls://host:port';
    const fits = is.url.test(target) && (protocol === 'udp' ? /^udp:\/\//i : /^(tcp|tls):\/\//i).test(String(target));
    if (!fits) faults.push({ message: `${protocol}() takes a URL first, ${schemes}, not ${show(target)}` });
    checkOptions(`${protocol}()`, options, RAW, faults);
    if (isObject(options?.expect)) checkOptions('expect', options.expect, RAW_EXPECT, faults);
    if (faults.length === 0 && options?.send === undefined) faults.push({ message: `${protocol}() needs { send }: what to send` });
  }

  const plainBytes = (value) => (value instanceof ArrayBuffer ? new Uint8Array(value) : value);

  function buildRaw(target, options) {
    const url = String(target);
    const { expect } = options;
    return {
      method: url.slice(0, 3).toUpperCase(), url, headers: [], body: plainBytes(options.send), until: plainBytes(options.until), read: options.read ?? 0, statuses: [],
      bodyContains: (isObject(expect) ? expect.bodyContains : expect) ?? '', timeout: options.timeout === undefined ? 0 : milliseconds(options.timeout),
      name: options.name ?? '', tags: tagList(options.tags), group: options.group ?? '', ids: null,
    };
  }

  // In a field a request, in a running hook a call, as `http` is.
  function raw(protocol) {
    return (target, options) => {
      if (shared.phase === 'run') return shared.client[protocol](target, options);
      if (shared.phase !== 'describe') return undefined;
      const request = new Declaration('request', []);
      request.protocol = protocol;
      checkRaw(protocol, target, options, request.faults);
      if (request.faults.length === 0) request.built = buildRaw(target, options);
      return request;
    };
  }

  const prepared = (value) => (value instanceof Prepared ? value.value : value);
  const pairs = (what, value) => (value instanceof Prepared ? value.value : plainMap(what, value));
  const idOf = (value) => (value instanceof Prepared ? value.id : 0);

  // A request in the form in which the host takes it. Throws on values that cannot be sent.
  function buildRequest(method, target, options) {
    const request = { method, url: String(target), headers: [], body: undefined, statuses: [], bodyContains: '', timeout: 0, name: '', tags: [], group: '', ids: null };
    if (target instanceof Prepared) request.ids = { url: target.id };
    if (options === undefined) return request;
    if (options.headers !== undefined) request.headers = pairs('headers', options.headers).slice();
    if (options.params !== undefined) {
      const query = pairs('params', options.params).map(([k, v]) => `${encodeURIComponent(k)}=${encodeURIComponent(v)}`).join('&');
      if (query !== '') request.url += (request.url.includes('?') ? '&' : '?') + query;
    }
    if (options.cookies !== undefined) request.headers.push(['cookie', pairs('cookies', options.cookies).map(([k, v]) => `${k}=${v}`).join('; ')]);
    if (options.auth !== undefined) request.headers.push(['authorization', options.auth instanceof Prepared ? options.auth.value : authorization(options.auth)]);
    const bodies = ['data', 'json', 'form'].filter((name) => options[name] !== undefined);
    if (bodies.length > 1) throw new TypeError(`a request has one body, but both "${bodies[0]}" and "${bodies[1]}" are given`);
    if (bodies.length === 1) addBody(request, bodies[0], options[bodies[0]]);
    if (options.expect !== undefined) {
      const expect = isObject(options.expect) ? options.expect : { status: options.expect };
      request.statuses = listOf(expect.status);
      request.bodyContains = expect.bodyContains ?? '';
    }
    if (options.timeout !== undefined) request.timeout = milliseconds(options.timeout);
    if (options.name !== undefined) request.name = options.name;
    if (options.group !== undefined) request.group = options.group;
    if (options.tags !== undefined) request.tags = tagList(options.tags);
    for (const name of ['headers', 'params', 'cookies', 'auth', 'data'])
      if (options[name] instanceof Prepared) (request.ids ??= {})[name] = options[name].id;
    return request;
  }

  function addBody(request, name, value) {
    const { body, contentType } = name === 'json' ? jsonBody(value)
      : name === 'form' ? bodyOf(new URLSearchParams(plainMap('form', value)))
      : value instanceof Prepared ? value.value : bodyOf(value);
    request.body = body;
    if (!request.headers.some(([header]) => header.toLowerCase() === 'content-type')) request.headers.push(['content-type', contentType]);
  }

  class Declaration {
    constructor(kind, faults) {
      this.kind = kind;
      this.faults = faults;
    }
  }

  function declareRequest(method, target, options) {
    const request = new Declaration('request', []);
    if (!is.url.test(target)) request.faults.push({ message: `http.${method.toLowerCase()}() takes a URL first, not ${show(target)}` });
    const what = `http.${method.toLowerCase()}()`;
    checkOptions(what, options, REQUEST, request.faults);
    if (isObject(options?.expect)) checkOptions('expect', options.expect, EXPECT, request.faults);
    if (request.faults.length > 0) return request;
    try {
      request.built = buildRequest(method, target, options);
    } catch (error) {
      request.faults.push({ message: error.message });
    }
    return request;
  }

  // While a step runs, `http` is the client, as users of other tools expect.
  function verb(method) {
    const plain = (target, options) => shared.client.http[method.toLowerCase()](target, options);
    return (target, options) => {
      if (shared.phase === 'run') return plain(target, options);
      return shared.phase === 'describe' ? declareRequest(method, target, options) : undefined;
    };
  }
  const http = {
    get: verb('GET'), post: verb('POST'), put: verb('PUT'), patch: verb('PATCH'), delete: verb('DELETE'), head: verb('HEAD'),
    options: verb('OPTIONS'),
    request(method, target, options) {
      return verb(String(method).toUpperCase())(target, options);
    },
  };

  const tcp = raw('tcp');
  const udp = raw('udp');
  const PROTOCOLS = new Map([[http, 'http'], [tcp, 'tcp'], [udp, 'udp']]);

  // --- hooks ---------------------------------------------------------------------------------------------------------

  const STEP = { depends: is.texts, tags: is.map, group: is.text };
  const isClass = (value) => typeof value === 'function' && Object.hasOwn(value, 'prototype') && !Object.getOwnPropertyDescriptor(value, 'prototype').writable;

  // step([result type], [steps before it], [options], request or function)
  function step(...args) {
    const body = args.at(-1);
    if (declares('step')) {
      if (typeof body !== 'function') return undefined;
      if (args.length > 1 && isClass(args[0])) shared.customTypes.set(body, args[0]);
      return body;
    }
    const hook = new Declaration('step', []);
    const rest = args.slice(0, -1);
    hook.result = '';
    hook.depends = [];
    if (PROTOCOLS.has(rest[0])) hook.result = PROTOCOLS.get(rest[0]);
    else if (isClass(rest[0])) hook.result = rest[0].name || 'custom';
    if (hook.result !== '') {
      hook.declared = PROTOCOLS.has(rest[0]) ? 'protocol' : 'custom';
      rest.shift();
    }
    if (is.texts.test(rest[0])) hook.depends.push(...listOf(rest.shift()));
    const options = isObject(rest[0]) ? checkOptions('step()', rest.shift(), STEP, hook.faults) : {};
    if (is.texts.test(options.depends)) hook.depends.push(...listOf(options.depends));
    hook.tags = isObject(options.tags) ? tagList(options.tags) : [];
    hook.group = typeof options.group === 'string' ? options.group : '';
    if (rest.length > 0) {
      hook.faults.push({ message: `step() takes a result type, a list of steps before it, options, and a request or function, in this order; it does not know what to do with ${show(rest[0])}` });
    }
    if (body instanceof Declaration && body.kind === 'request') {
      hook.faults.push(...body.faults);
      hook.request = body.built;
      hook.result = body.protocol ?? 'http';
      hook.declared = 'protocol';
    } else if (typeof body === 'function') {
      hook.fn = body;
    } else {
      hook.faults.push({ message: `step() needs a request such as http.get(url), or a function; it got ${args.length === 0 ? 'nothing' : show(body)}` });
    }
    return hook;
  }

  // A function after some names and options: what actions, checks, metrics and state hooks have in common.
  function hookOf(kind, args, types) {
    const hook = new Declaration(kind, []);
    const rest = args.slice();
    hook.fn = rest.pop();
    hook.depends = [];
    while (typeof rest[0] === 'string' || isArray(rest[0])) {
      if (is.texts.test(rest[0])) hook.depends.push(...listOf(rest[0]));
      else hook.faults.push({ message: `${kind}() takes names as texts` });
      rest.shift();
    }
    if (isObject(rest[0]) && Object.hasOwn(rest[0], 'tags') && !Object.hasOwn(types, 'tags')) {
      hook.faults.push({ message: `${kind}() has no tags: results have tags for steps and calls; a ${kind} is known by its name`, mark: 'tags' });
      rest[0] = Object.fromEntries(entries(rest[0]).filter(([name]) => name !== 'tags'));
    }
    hook.options = rest.length > 0 ? checkOptions(`${kind}()`, rest.shift(), types, hook.faults) : {};
    hook.tags = [];
    hook.group = '';
    if (rest.length > 0 || typeof hook.fn !== 'function') {
      hook.faults.push({ message: `${kind}() needs a function at the end, not ${show(hook.fn)}` });
    }
    return hook;
  }

  const oneOf = (...names) => type(names.map((n) => `"${n}"`).join(' or '), (v) => names.includes(v));
  const ACTION = { when: oneOf('setup', 'teardown') };
  const CHECK = {};
  const METRIC = { kind: oneOf('counter', 'gauge', 'rate', 'trend') };

  const action = (...args) => (declares('action') ? args.at(-1) : hookOf('action', args, ACTION));
  const check = (...args) => (declares('check') ? args.at(-1) : hookOf('check', args, CHECK));
  const metric = (...args) => (declares('metric') ? args.at(-1) : hookOf('metric', args, METRIC));
  const state = {
    provide(...args) {
      return declares('state.provide') ? args.at(-1) : Object.assign(hookOf('state', args, {}), { direction: 'provide' });
    },
    // The field is a function: a step calls it to have the value.
    use(...args) {
      if (!declares('state.use')) return Object.assign(hookOf('state', args, {}), { direction: 'use' });
      const read = args.at(-1);
      const sources = args.slice(0, -1).flat();
      return () => read(shared.provided(sources));
    },
  };

  // --- data, environment, metrics ----------------------------------------------------------------------------------

  class DataFile extends Declaration {
    constructor(format, args) {
      super('data', []);
      const [file, options] = args;
      this.format = format;
      this.file = file;
      if (file === '-') this.faults.push({ message: `${format}() takes the name of a file; "-" is none, and standard input is not read` });
      else if (!is.text.test(file)) this.faults.push({ message: `${format}() takes the name of a file, not ${show(file)}` });
      this.options = checkOptions(`${format}()`, options, { deal: oneOf('round-robin', 'once', 'random'), delimiter: is.text }, this.faults);
    }
  }
  const csv = (...args) => (declares('csv') ? undefined : new DataFile('csv', args));
  const jsonl = (...args) => (declares('jsonl') ? undefined : new DataFile('jsonl', args));

  const env = (name, fallback) => native.env(String(name), fallback, false);
  const secret = (name) => native.env(String(name), undefined, true);

  class Metric {
    constructor(kind, name) {
      if (!is.text.test(name)) throw new TypeError(`${kind}() takes a name, not ${show(name)}`);
      const known = shared.metrics.get(name);
      if (known && known !== kind) throw new TypeError(`there is already a ${known} called "${name}"`);
      shared.metrics.set(name, kind);
      this.kind = kind;
      this.name = name;
      freeze(this);
    }
    add(value = 1, tags = undefined) {
      if (tags !== undefined) throw new TypeError(`metric "${this.name}" has no tags: make one for each value, such as ${this.kind}(${JSON.stringify(`${this.name}_eu`)})`);
      const number = typeof value === 'boolean' ? Number(value) : value;
      if (typeof number !== 'number' || Number.isNaN(number)) throw new TypeError(`metric "${this.name}" takes numbers, not ${show(value)}`);
      if (shared.phase === 'run') native.record(this.kind, this.name, number);
    }
  }
  const counter = (name) => new Metric('counter', name);
  const gauge = (name) => new Metric('gauge', name);
  const rate = (name) => new Metric('rate', name);
  const trend = (name) => new Metric('trend', name);

  // --- describing ----------------------------------------------------------------------------------------------------

  const THRESHOLD = { threshold: is.text, step: is.text, check: is.text, tag: is.text, metric: is.text, abortOnFail: is.flag, delay: is.duration };
  const STAGE = { duration: is.duration, target: is.target };
  const listed = (name, test) => type(name, (v) => isArray(v) && v.every(test));
  const ATTRIBUTES = {
    vus: is.count, duration: is.duration, priority: is.text, rate: is.amount, iterations: is.count, thinkTime: is.duration,
    warmup: is.duration, startAfter: is.duration, depends: is.texts, tags: is.map, baseUrl: is.text,
    redirects: type('a whole number from 0 to 100, or "anywhere"', (v) => v === 'anywhere' || (Number.isInteger(v) && v >= 0 && v <= 100)),
    newUserPerIteration: is.flag,
    stages: listed('a list of { duration, target }', isObject),
    thresholds: type('a list of thresholds, or an object from step to thresholds', (v) => isObject(v) || isArray(v)),
    data: type('an object of csv() and jsonl() files', (v) => isObject(v) && Object.values(v).every((x) => x instanceof DataFile)),
  };
  // What other tools call them.
  const ALSO_CALLED = {
    __proto__: null, users: 'vus', virtualUsers: 'vus', concurrency: 'vus', requests: 'iterations', loops: 'iterations', time: 'duration',
    pause: 'thinkTime', think: 'thinkTime', ramp: 'stages', rampUp: 'stages', rps: 'rate', arrivalRate: 'rate', url: 'baseUrl', host: 'baseUrl', target: 'baseUrl',
    labels: 'tags', slo: 'thresholds', files: 'data',
  };
  const RESERVED = ['client', 'context', 'vu', 'iteration'];
  const OWN_OF_CLASSES = ['length', 'name', 'prototype'];

  function hintFor(name, value) {
    if (name in ALSO_CALLED) return `did you mean "${ALSO_CALLED[name]}"?`;
    const inside = isObject(value) ? keys(value).filter((key) => Object.hasOwn(ATTRIBUTES, key)) : [];
    return inside.length > 0 ? `write each by itself: ${inside.map((key) => `static ${key} = ...`).join('; ')}` : `there are ${keys(ATTRIBUTES).join(', ')}`;
  }

  function attributesOf(cls, faults) {
    const attributes = {};
    for (const [name, { name: wanted, test }] of entries(ATTRIBUTES)) {
      const value = cls[name];
      if (value === undefined) continue;
      if (test(value)) attributes[name] = value;
      else faults.push({ message: `"${name}" must be ${wanted}, not ${show(value)}`, member: name });
    }
    for (let at = cls; at !== Workflow && at !== null; at = Object.getPrototypeOf(at)) {
      for (const name of Object.getOwnPropertyNames(at)) {
        if (Object.hasOwn(ATTRIBUTES, name) || OWN_OF_CLASSES.includes(name) || typeof at[name] === 'function') continue;
        const near = native.nearest(name, keys(ATTRIBUTES));
        // A static field of the user's own is no mistake, unless it looks like one of ours, or nothing reads it: the
        // host looks for that in the text.
        if (near) faults.push({ message: `a workflow has no attribute "${name}"; did you mean "${near}"?`, member: name });
        else faults.push({ message: `a workflow has no attribute "${name}", and nothing else in the file mentions it; ${hintFor(name, at[name])}`, member: name, unlessRead: name });
      }
    }
    return attributes;
  }

  function thresholdsOf(value, faults) {
    const list = isArray(value) ? value.map((item) => [undefined, item])
      : entries(value ?? {}).flatMap(([key, items]) => listOf(items).map((item) => [key, item]));
    return list.map(([key, item]) => {
      const options = typeof item === 'string' ? { threshold: item } : checkOptions('a threshold', item, THRESHOLD, faults);
      if (typeof options.threshold !== 'string') faults.push({ message: 'a threshold needs its text, such as "p95 < 300ms"', member: 'thresholds' });
      return {
        threshold: options.threshold ?? '', step: options.step ?? (key === '*' ? '' : key) ?? '', check: options.check ?? '', tag: options.tag ?? '', metric: options.metric ?? '',
        abortOnFail: options.abortOnFail === true, delay: milliseconds(options.delay ?? 0) ?? 0,
      };
    });
  }

  function describeHook(name, hook, faults) {
    for (const fault of hook.faults) faults.push({ ...fault, member: name });
    if (RESERVED.includes(name)) faults.push({ message: `"${name}" is what every step is given and cannot be the name of a ${hook.kind}`, member: name });
    const { built } = hook.request ? { built: hook.request } : {};
    const thunks = hook.fn ? shared.thunks.get(hook.fn) : undefined;
    const args = [];
    for (const [key, make] of entries(thunks ?? {})) {
      try {
        const value = make();
        value.id = shared.prepared.push(value);
        freeze(value);
        args.push({ name: key, kind: value.kind, id: value.id, value: value.value });
        hook.prepared = { ...hook.prepared, [key]: value };
      } catch (error) {
        faults.push({ message: `argument "${key}": ${error.message}`, member: name });
      }
    }
    return {
      kind: hook.kind, name, depends: hook.depends, result: hook.result ?? '', raw: hook.result === 'tcp' || hook.result === 'udp', declared: hook.declared ?? 'other', scripted: !built,
      request: built ?? null, direction: hook.direction ?? '', when: hook.options?.when ?? (name === 'teardown' ? 'teardown' : 'setup'),
      metric: hook.options?.kind ?? 'trend', tags: hook.tags, group: hook.group, arguments: args, prepared: hook.prepared ?? null,
    };
  }

  function describeWorkflow(cls, name) {
    const faults = [];
    const attributes = attributesOf(cls, faults);
    const hooks = [];
    const instance = new cls();
    for (const member of Object.getOwnPropertyNames(instance)) {
      const value = instance[member];
      if (!(value instanceof Declaration)) continue;
      if (value.kind === 'request') faults.push({ message: `"${member}" is a request and not yet a step: write step(${'http.…'})`, member });
      else if (value.kind !== 'data') hooks.push(describeHook(member, value, faults));
    }
    const stages = (attributes.stages ?? []).map((stage) => checkOptions('a stage', stage, STAGE, faults));
    const files = entries(attributes.data ?? {}).map(([key, file]) => {
      if (RESERVED.includes(key)) faults.push({ message: `"${key}" is what every step is given and cannot be the name of data`, member: 'data' });
      for (const fault of file.faults) faults.push({ ...fault, member: 'data' });
      return { name: key, file: String(file.file), format: file.format, deal: file.options.deal ?? 'round-robin', delimiter: file.options.delimiter ?? ',' };
    });
    return {
      name, attributes, hooks, faults, files,
      durations: Object.fromEntries(['duration', 'thinkTime', 'warmup', 'startAfter'].map((key) => [key, milliseconds(attributes[key] ?? 0) ?? 0])),
      stages: stages.map((stage) => ({ duration: milliseconds(stage.duration ?? 0) ?? 0, target: stage.target ?? 0 })),
      depends: listOf(attributes.depends), tags: tagList(attributes.tags), thresholds: thresholdsOf(attributes.thresholds, faults),
    };
  }

  // Everything the entry exports that is a workflow.
  shared.describe = function () {
    shared.phase = 'describe';
    shared.prepared = [];
    shared.plans = new Map();
    const found = [];
    for (const [key, value] of entries(Object.getOwnPropertyDescriptors(shared.runModules()))) {
      const cls = value.get();
      if (typeof cls !== 'function' || !(cls.prototype instanceof Workflow)) continue;
      if (found.some((known) => known.cls === cls)) continue;
      const name = cls.name === '$hs_default' ? shared.entryName : cls.name;
      const workflow = describeWorkflow(cls, name);
      workflow.cls = cls;
      if (shared.plans.has(name)) workflow.faults.push({ message: `there are two workflows called "${name}"` });
      workflow.lineage = [];
      for (let at = cls; at !== Workflow && at !== null; at = Object.getPrototypeOf(at)) workflow.lineage.push(at.name);
      shared.plans.set(name, { exported: key, hooks: workflow.hooks });
      found.push(workflow);
    }
    return { workflows: found, metrics: [...shared.metrics] };
  };

  // Called by rewritten code: the defaults of prepared kinds beside the hook that has them.
  shared.thunks = new WeakMap();
  shared.optimised = (thunks, fn) => {
    if (!user()) shared.thunks.set(fn, thunks);
    return fn;
  };

  shared.buildRequest = buildRequest;
  shared.buildRaw = buildRaw;
  shared.checkRaw = checkRaw;
  shared.REQUEST = REQUEST;
  shared.EXPECT = EXPECT;
  shared.GRAPHQL = GRAPHQL;
  shared.checkOptions = checkOptions;
  shared.is = is;
  shared.isObject = isObject;
  shared.asCode = asCode;
  shared.seconds = seconds;
  shared.milliseconds = milliseconds;
  shared.show = show;
  shared.classes = [Workflow, Prepared, Declaration, DataFile, Metric];
  Object.assign(shared.api, {
    Workflow, step, action, check, metric, state, http, tcp, udp, url, headers, data, params, cookies, auth, csv, jsonl, env, secret, counter,
    gauge, rate, trend,
  });
});
