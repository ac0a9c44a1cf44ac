// What web pages and other tools have as globals: console, URL, URLSearchParams, TextEncoder, TextDecoder, atob, btoa,
// crypto, structuredClone; and the builder of multipart forms.
(function (native, shared) {
  'use strict';

  // --- console -----------------------------------------------------------------------------------------------------------

  function inspect(value, depth = 0, seen = new Set()) {
    if (typeof value === 'string') return depth === 0 ? value : JSON.stringify(value);
    if (typeof value === 'function') return `[function ${value.name || '(anonymous)'}]`;
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value !== 'object' || value === null) return String(value);
    if (seen.has(value)) return '[circular]';
    if (value instanceof Error) return String(value.stack ? `${value}` : value);
    if (depth > 4) return Array.isArray(value) ? '[…]' : '{…}';
    seen.add(value);
    const shown = (v) => inspect(v, depth + 1, seen);
    let text;
    if (Array.isArray(value)) text = `[${value.slice(0, 100).map(shown).join(', ')}${value.length > 100 ? ', …' : ''}]`;
    else if (value instanceof Map) text = `Map {${[...value].slice(0, 100).map(([k, v]) => `${shown(k)} => ${shown(v)}`).join(', ')}}`;
    else if (value instanceof Set) text = `Set {${[...value].slice(0, 100).map(shown).join(', ')}}`;
    else if (value instanceof Date) text = value.toISOString();
    else if (value instanceof RegExp || value instanceof URL) text = String(value);
    else {
      const name = value.constructor && value.constructor.name !== 'Object' ? `${value.constructor.name} ` : '';
      text = `${name}{ ${Object.entries(value).slice(0, 100).map(([k, v]) => `${k}: ${shown(v)}`).join(', ')} }`.replace('{  }', '{}');
    }
    seen.delete(value);
    return text;
  }
  const log = (level) => (...values) => native.log(level, values.map((value) => inspect(value)).join(' '));
  const console = {
    log: log('info'), info: log('info'), debug: log('debug'), trace: log('debug'), warn: log('warning'), error: log('error'),
    assert(condition, ...values) {
      if (!condition) console.error('assertion failed:', ...values);
    },
  };

  // --- text and bytes ------------------------------------------------------------------------------------------------------

  class TextEncoder {
    get encoding() {
      return 'utf-8';
    }
    encode(text = '') {
      return native.encodeUtf8(String(text));
    }
  }

  class TextDecoder {
    #fatal;
    constructor(label = 'utf-8', options = {}) {
      if (!/^utf-?8$/i.test(label)) throw new RangeError(`TextDecoder knows utf-8 only, not "${label}"`);
      this.#fatal = Boolean(options.fatal);
    }
    get encoding() {
      return 'utf-8';
    }
    decode(bytes = new Uint8Array()) {
      const text = native.decodeUtf8(bytesOf(bytes));
      if (this.#fatal && text.includes('\ufffd')) throw new TypeError('the bytes are not UTF-8');
      return text.startsWith('\ufeff') ? text.slice(1) : text;
    }
  }

  function bytesOf(value) {
    if (typeof value === 'string') return native.encodeUtf8(value);
    if (value instanceof ArrayBuffer) return new Uint8Array(value);
    if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    throw new TypeError('expected a text or bytes');
  }

  const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  function btoa(text) {
    const input = String(text);
    let output = '';
    for (let i = 0; i < input.length; i += 3) {
      const codes = [input.charCodeAt(i), input.charCodeAt(i + 1), input.charCodeAt(i + 2)];
      if (codes.some((code) => code > 255)) throw new RangeError('btoa() takes characters up to U+00FF; encode other text with TextEncoder first');
      const bits = (codes[0] << 16) | ((codes[1] || 0) << 8) | (codes[2] || 0);
      output += DIGITS[bits >> 18] + DIGITS[(bits >> 12) & 63] + (i + 1 < input.length ? DIGITS[(bits >> 6) & 63] : '=') + (i + 2 < input.length ? DIGITS[bits & 63] : '=');
    }
    return output;
  }
  function atob(text) {
    const input = String(text).replace(/[\t\n\f\r ]/g, '').replace(/={1,2}$/, '');
    if (input.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(input)) throw new RangeError('atob() takes base64');
    let output = '';
    let bits = 0;
    let count = 0;
    for (const digit of input) {
      bits = ((bits << 6) | DIGITS.indexOf(digit)) & 0xffffff;
      count += 6;
      if (count >= 8) output += String.fromCharCode((bits >> (count -= 8)) & 255);
    }
    return output;
  }
  shared.utf8Binary = (text) => Array.from(native.encodeUtf8(text), (byte) => String.fromCharCode(byte)).join('');

  // --- URLs ----------------------------------------------------------------------------------------------------------------

  const formEncode = (text) => encodeURIComponent(text.toWellFormed ? text.toWellFormed() : text).replace(/[!'()~]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`).replace(/%20/g, '+');
  const formDecode = (text) => {
    const spaced = text.replace(/\+/g, ' ');
    try {
      return decodeURIComponent(spaced);
    } catch {
      return spaced;
    }
  };

  class URLSearchParams {
    #pairs = [];
    #changed = null;
    constructor(init = '') {
      if (typeof init === 'string') this.#parse(init);
      else if (init !== null && typeof init[Symbol.iterator] === 'function') for (const [name, value] of init) this.append(name, value);
      else for (const [name, value] of Object.entries(init ?? {})) this.append(name, value);
    }
    static following(text, changed) {
      const params = new URLSearchParams(text);
      params.#changed = changed;
      return params;
    }
    #parse(text) {
      for (const part of text.replace(/^\?/, '').split('&')) {
        if (part === '') continue;
        const at = part.indexOf('=');
        this.#pairs.push(at < 0 ? [formDecode(part), ''] : [formDecode(part.slice(0, at)), formDecode(part.slice(at + 1))]);
      }
    }
    #change() {
      if (this.#changed) this.#changed(this.toString());
    }
    append(name, value) {
      this.#pairs.push([String(name), String(value)]);
      this.#change();
    }
    delete(name) {
      this.#pairs = this.#pairs.filter(([key]) => key !== String(name));
      this.#change();
    }
    get(name) {
      return this.#pairs.find(([key]) => key === String(name))?.[1] ?? null;
    }
    getAll(name) {
      return this.#pairs.filter(([key]) => key === String(name)).map(([, value]) => value);
    }
    has(name) {
      return this.#pairs.some(([key]) => key === String(name));
    }
    set(name, value) {
      const at = this.#pairs.findIndex(([key]) => key === String(name));
      if (at < 0) this.#pairs.push([String(name), String(value)]);
      else {
        this.#pairs[at][1] = String(value);
        this.#pairs = this.#pairs.filter(([key], i) => i <= at || key !== String(name));
      }
      this.#change();
    }
    sort() {
      this.#pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
      this.#change();
    }
    forEach(call) {
      for (const [name, value] of this.#pairs) call(value, name, this);
    }
    get size() {
      return this.#pairs.length;
    }
    *entries() {
      for (const [name, value] of this.#pairs) yield [name, value];
    }
    *keys() {
      for (const [name] of this.#pairs) yield name;
    }
    *values() {
      for (const [, value] of this.#pairs) yield value;
    }
    [Symbol.iterator]() {
      return this.entries();
    }
    toString() {
      return this.#pairs.map(([name, value]) => `${formEncode(name)}=${formEncode(value)}`).join('&');
    }
  }
  const { following } = URLSearchParams;
  delete URLSearchParams.following;

  const PORTS = { 'http:': '80', 'https:': '443', 'ws:': '80', 'wss:': '443', 'ftp:': '21' };
  const escape = (text, allowed) => text.replace(allowed, (c) => encodeURIComponent(c)).replace(/%25(?=[0-9A-Fa-f]{2})/g, '%');
  const PATH = /[^\x21\x24-\x3b\x3d\x40-\x5f\x61-\x7a\x7c\x7e]/gu;
  const QUERY = /[^\x21\x24-\x26\x28-\x3b\x3d\x3f-\x7e]/gu;
  const FRAGMENT = /[^\x21\x23-\x3b\x3d\x3f-\x5f\x61-\x7e]/gu;
  const USER = /[^\w!$&'()*+,\-.~%]/gu;

  function withoutDots(path) {
    const parts = [];
    const segments = path.split('/').slice(1);
    segments.forEach((segment, i) => {
      const plain = segment.replace(/%2e/gi, '.');
      const last = i === segments.length - 1;
      if (plain === '..') {
        parts.pop();
        if (last) parts.push('');
      } else if (plain === '.') {
        if (last) parts.push('');
      } else parts.push(segment);
    });
    return `/${parts.join('/')}`;
  }

  // http, https, ws, wss and ftp: what a load test aims at.
  class URL {
    #parts;
    #params = null;
    constructor(text, base = undefined) {
      const parts = split(String(text).trim(), base === undefined ? null : base instanceof URL ? base.#parts : split(String(base).trim(), null));
      if (parts === null) throw new TypeError(`"${text}" is not a URL${base === undefined ? '' : ` relative to "${base}"`}`);
      this.#parts = parts;
    }
    static canParse(text, base = undefined) {
      try {
        return Boolean(new URL(text, base));
      } catch {
        return false;
      }
    }
    get protocol() { return this.#parts.protocol; }
    get username() { return this.#parts.username; }
    get password() { return this.#parts.password; }
    get hostname() { return this.#parts.hostname; }
    get port() { return this.#parts.port; }
    get host() { return this.hostname + (this.port === '' ? '' : `:${this.port}`); }
    get origin() { return `${this.protocol}//${this.host}`; }
    get pathname() { return this.#parts.pathname; }
    get search() { return this.#parts.search; }
    get hash() { return this.#parts.hash; }
    get href() {
      const { username, password } = this.#parts;
      const login = username === '' && password === '' ? '' : `${username}${password === '' ? '' : `:${password}`}@`;
      return `${this.protocol}//${login}${this.host}${this.pathname}${this.search}${this.hash}`;
    }
    get searchParams() {
      return (this.#params ??= following(this.search, (text) => (this.#parts = { ...this.#parts, search: text === '' ? '' : `?${text}` })));
    }
    #with(change) {
      this.#parts = { ...this.#parts, ...change };
    }
    set pathname(path) { this.#with({ pathname: withoutDots(escape(`/${String(path).replace(/^\//, '')}`, PATH)) }); }
    set search(text) {
      this.#with({ search: String(text).replace(/^\?/, '') === '' ? '' : `?${escape(String(text).replace(/^\?/, ''), QUERY)}` });
      this.#params = null;
    }
    set hash(text) { this.#with({ hash: String(text).replace(/^#/, '') === '' ? '' : `#${escape(String(text).replace(/^#/, ''), FRAGMENT)}` }); }
    set port(port) { this.#with({ port: String(port) === PORTS[this.protocol] ? '' : String(port) }); }
    set hostname(name) { this.#with({ hostname: String(name).toLowerCase() }); }
    set host(host) {
      const match = /^(.*?)(?::(\d+))?$/.exec(String(host));
      this.#with({ hostname: match[1].toLowerCase(), port: match[2] === undefined || match[2] === PORTS[this.protocol] ? '' : match[2] });
    }
    set protocol(name) { this.#with({ protocol: `${String(name).replace(/:$/, '').toLowerCase()}:` }); }
    set username(text) { this.#with({ username: escape(String(text), USER) }); }
    set password(text) { this.#with({ password: escape(String(text), USER) }); }
    set href(text) {
      this.#parts = new URL(text).#parts;
      this.#params = null;
    }
    toString() { return this.href; }
    toJSON() { return this.href; }
  }

  function split(text, base) {
    const [, scheme, rest] = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?([^]*)$/.exec(text);
    const protocol = scheme === undefined ? base?.protocol : `${scheme.toLowerCase()}:`;
    if (protocol === undefined || !Object.hasOwn(PORTS, protocol)) return null;
    const slashed = rest.replace(/^[^?#]*/, (path) => path.replace(/\\/g, '/'));
    const [, authority, path, query, fragment] = /^(?:\/\/([^/?#]*))?([^?#]*)(\?[^#]*)?(#[^]*)?$/.exec(slashed);
    const tail = { search: query === undefined || query === '?' ? '' : escape(query, QUERY), hash: fragment === undefined || fragment === '#' ? '' : escape(fragment, FRAGMENT) };
    if (authority === undefined) {
      if (base === null || base === undefined || (scheme !== undefined && protocol !== base.protocol)) return null;
      if (path === '') return { ...base, search: query === undefined ? base.search : tail.search, hash: tail.hash };
      const joined = path.startsWith('/') ? path : base.pathname.replace(/[^/]*$/, '') + path;
      return { ...base, ...tail, pathname: withoutDots(escape(joined, PATH)) };
    }
    const match = /^(?:([^@]*)@)?(\[[0-9a-fA-F:.]+\]|[^:[\]]+)(?::(\d*))?$/.exec(authority);
    if (match === null || /[\s<>^|%]|[^\x21-\x7e]/.test(match[2]) || Number(match[3] ?? 0) > 65535) return null;
    const [username = '', ...password] = (match[1] ?? '').split(':');
    const port = match[3] === undefined || match[3] === '' ? '' : String(Number(match[3]));
    return {
      protocol, username: escape(username, USER), password: escape(password.join(':'), USER), hostname: match[2].toLowerCase(),
      port: port === PORTS[protocol] ? '' : port, pathname: withoutDots(escape(path === '' ? '/' : path, PATH)), ...tail,
    };
  }

  // --- crypto --------------------------------------------------------------------------------------------------------------

  const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  function encoded(bytes, encoding = 'hex') {
    if (encoding === 'hex') return hex(bytes);
    const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
    if (encoding === 'base64') return btoa(binary);
    if (encoding === 'base64url') return btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
    if (encoding === 'bytes') return bytes;
    throw new TypeError(`an encoding is "hex", "base64", "base64url" or "bytes", not ${shared.show(encoding)}`);
  }
  const crypto = {
    hash: (algorithm, value, encoding) => encoded(native.hash(String(algorithm), bytesOf(value)), encoding),
    hmac: (algorithm, key, value, encoding) => encoded(native.hmac(String(algorithm), bytesOf(key), bytesOf(value)), encoding),
    getRandomValues(array) {
      const bytes = bytesOf(array);
      for (let i = 0; i < bytes.length; i++) bytes[i] = native.randomBelow(256);
      return array;
    },
    randomUUID() {
      const bytes = crypto.getRandomValues(new Uint8Array(16));
      bytes[6] = (bytes[6] & 0x0f) | 0x40;
      bytes[8] = (bytes[8] & 0x3f) | 0x80;
      return hex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    },
  };
  for (const name of ['md5', 'sha1', 'sha256', 'sha512']) crypto[name] = (value, encoding) => crypto.hash(name, value, encoding);

  // --- the rest ------------------------------------------------------------------------------------------------------------

  function clone(value, seen) {
    if (typeof value === 'function' || typeof value === 'symbol') throw new TypeError(`${typeof value === 'symbol' ? 'a symbol' : 'a function'} cannot be cloned`);
    if (typeof value !== 'object' || value === null) return value;
    if (seen.has(value)) return seen.get(value);
    const keep = (copy) => (seen.set(value, copy), copy);
    if (value instanceof Date) return keep(new Date(value));
    if (value instanceof RegExp) return keep(new RegExp(value.source, value.flags));
    if (ArrayBuffer.isView(value)) return keep(new value.constructor(value));
    if (value instanceof ArrayBuffer) return keep(value.slice(0));
    if (value instanceof Map) {
      const copy = keep(new Map());
      for (const [k, v] of value) copy.set(clone(k, seen), clone(v, seen));
      return copy;
    }
    if (value instanceof Set) {
      const copy = keep(new Set());
      for (const v of value) copy.add(clone(v, seen));
      return copy;
    }
    if (value instanceof Error) return keep(Object.assign(new Error(value.message), { name: value.name }));
    const copy = keep(Array.isArray(value) ? new Array(value.length) : {});
    for (const key of Object.keys(value)) copy[key] = clone(value[key], seen);
    return copy;
  }
  const structuredClone = (value) => clone(value, new Map());

  class Multipart {
    #parts = [];
    #boundary = `----hyperscale${hex(crypto.getRandomValues(new Uint8Array(12)))}`;
    field(name, value) {
      this.#parts.push({ head: `name="${quoted(name)}"`, body: bytesOf(String(value)) });
      return this;
    }
    file(name, content, options = {}) {
      const kind = options.type ?? 'application/octet-stream';
      if (/[\r\n]/.test(kind)) throw new TypeError('the type of a file has no line break');
      this.#parts.push({ head: `name="${quoted(name)}"; filename="${quoted(options.filename ?? name)}"\r\nContent-Type: ${kind}`, body: bytesOf(content) });
      return this;
    }
    get contentType() {
      return `multipart/form-data; boundary=${this.#boundary}`;
    }
    bytes() {
      const pieces = this.#parts.flatMap(({ head, body }) => [bytesOf(`--${this.#boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`), body, bytesOf('\r\n')]);
      pieces.push(bytesOf(`--${this.#boundary}--\r\n`));
      const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
      let at = 0;
      for (const piece of pieces) {
        whole.set(piece, at);
        at += piece.length;
      }
      return whole;
    }
  }
  const quoted = (text) => String(text).replace(/["\r\n]/g, (c) => ({ '"': '%22', '\r': '%0D', '\n': '%0A' })[c]);

  // RFC 4180, first row names the columns.
  shared.parseCsv = function (text, delimiter) {
    const rows = [];
    let row = [];
    let field = '';
    let quotedField = false;
    const input = text.replace(/^\ufeff/, '');
    for (let i = 0; i <= input.length; i++) {
      const c = input[i];
      if (quotedField) {
        if (c === undefined) throw new Error(`row ${rows.length + 1} has a quote that is not closed`);
        if (c !== '"') field += c;
        else if (input[i + 1] === '"') field += input[++i];
        else quotedField = false;
      } else if (c === '"' && field === '') {
        quotedField = true;
      } else if (c === delimiter || c === '\n' || c === undefined) {
        row.push(c === delimiter ? field : field.replace(/\r$/, ''));
        field = '';
        if (c !== delimiter) {
          if (row.length > 1 || row[0] !== '') rows.push(row);
          row = [];
        }
      } else {
        field += c;
      }
    }
    const [names = [], ...values] = rows;
    return values.map((cells, i) => {
      if (cells.length !== names.length) throw new Error(`row ${i + 2} has ${cells.length} fields, the first row has ${names.length}`);
      return Object.fromEntries(names.map((name, k) => [name, cells[k]]));
    });
  };

  Object.assign(globalThis, { console, TextEncoder, TextDecoder, btoa, atob, URL, URLSearchParams, crypto, structuredClone });
  shared.Multipart = Multipart;
  shared.multipart = () => new Multipart();
  shared.inspect = inspect;
  shared.api = { __proto__: null };
  shared.webClasses = [Multipart];
});
