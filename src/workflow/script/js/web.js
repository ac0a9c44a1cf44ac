// What web pages and other tools have as globals, beside what encoding.js and url.js have: console, crypto,
// structuredClone; and the builder of multipart forms.
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

  function bytesOf(value) {
    if (typeof value === 'string') return native.encodeUtf8(value);
    if (value instanceof ArrayBuffer) return new Uint8Array(value);
    if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    throw new TypeError('expected a text or bytes');
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
      if (!ArrayBuffer.isView(array) || !/^(Big)?(Ui|I)nt/.test(array[Symbol.toStringTag]))
        throw shared.domException('getRandomValues() fills an array of whole numbers, such as a Uint8Array', 'TypeMismatchError');
      if (array.byteLength > 65536) throw shared.domException('getRandomValues() fills at most 65536 bytes at once', 'QuotaExceededError');
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
    if (typeof value === 'function' || typeof value === 'symbol') throw shared.domException(`${typeof value === 'symbol' ? 'a symbol' : 'a function'} cannot be cloned`, 'DataCloneError');
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

  Object.assign(globalThis, { console, crypto, structuredClone });
  shared.Multipart = Multipart;
  shared.multipart = () => new Multipart();
  shared.inspect = inspect;
  shared.api = { __proto__: null };
  shared.webClasses.push(Multipart);
});
