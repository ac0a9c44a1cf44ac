// URL and URLSearchParams, the classes of the URL Standard (https://url.spec.whatwg.org/#api).
(function (native, shared) {
  'use strict';
  const { urls } = shared;

  // The conversion to a text that Web IDL has: no symbols, no halves of surrogate pairs.
  const textOf = (value) => `${value}`.toWellFormed();
  const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';
  const need = (what, count, given) => {
    if (given < count) throw new TypeError(`${what} takes ${count} argument${count === 1 ? '' : 's'}, but ${given} ${given === 1 ? 'was' : 'were'} given`);
  };

  // --- URLSearchParams -------------------------------------------------------------------------------------------------

  const formEncode = (text) => encodeURIComponent(text).replace(/[!'()~]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`).replace(/%20/g, '+');
  const formDecode = (text) => urls.percentDecoded(text.replace(/\+/g, ' '));

  function pairsOfText(text) {
    const pairs = [];
    for (const part of text.split('&')) {
      if (part === '') continue;
      const at = part.indexOf('=');
      pairs.push(at < 0 ? [formDecode(part), ''] : [formDecode(part.slice(0, at)), formDecode(part.slice(at + 1))]);
    }
    return pairs;
  }

  function pairsOfList(list) {
    const pairs = [];
    for (const item of list) {
      if (!isObject(item) || typeof item[Symbol.iterator] !== 'function') throw new TypeError('URLSearchParams takes a list of pairs; there is something else in it');
      const pair = Array.from(item, textOf);
      if (pair.length !== 2) throw new TypeError(`URLSearchParams takes a list of pairs; one of them has ${pair.length} parts`);
      pairs.push(pair);
    }
    return pairs;
  }

  function pairsOfRecord(record) {
    const pairs = new Map();
    for (const key of Reflect.ownKeys(record))
      if (Object.getOwnPropertyDescriptor(record, key)?.enumerable) pairs.set(textOf(key), textOf(record[key]));
    return [...pairs];
  }

  function pairsOf(init) {
    if (!isObject(init)) return pairsOfText(textOf(init).replace(/^\?/, ''));
    const iterate = init[Symbol.iterator];
    if (iterate === undefined || iterate === null) return pairsOfRecord(init);
    if (typeof iterate !== 'function') throw new TypeError('URLSearchParams takes a text, a list of pairs or an object');
    return pairsOfList(init);
  }

  // Iterators look at the list as it is at each step.
  const pairIterators = new WeakMap();
  const pairIteratorPrototype = Object.create(Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())), {
    next: {
      value: function next() {
        const state = pairIterators.get(this);
        if (state === undefined) throw new TypeError('next() was called on something else than an iterator of URLSearchParams');
        const pair = state.pairs()[state.at];
        if (pair === undefined) return { value: undefined, done: true };
        state.at++;
        return { value: state.pick(pair), done: false };
      },
      writable: true, enumerable: true, configurable: true,
    },
    [Symbol.toStringTag]: { value: 'URLSearchParams Iterator', configurable: true },
  });
  function pairIterator(pairs, pick) {
    const iterator = Object.create(pairIteratorPrototype);
    pairIterators.set(iterator, { pairs, pick, at: 0 });
    return iterator;
  }

  // What a URL does with its parameters: makes them, and fills them again.
  let follow;
  let refill;

  class URLSearchParams {
    #pairs;
    #changed = null;
    constructor(init = '') {
      this.#pairs = pairsOf(init);
    }
    static {
      follow = (text, changed) => {
        const params = new URLSearchParams();
        params.#pairs = pairsOfText(text);
        params.#changed = changed;
        return params;
      };
      refill = (params, text) => {
        params.#pairs = pairsOfText(text);
      };
    }
    #change(pairs) {
      this.#pairs = pairs;
      if (this.#changed !== null) this.#changed(this.toString());
    }
    get size() {
      return this.#pairs.length;
    }
    append(name, value) {
      this.#pairs;
      need('append()', 2, arguments.length);
      const pair = [textOf(name), textOf(value)];
      this.#pairs.push(pair);
      this.#change(this.#pairs);
    }
    delete(name, value = undefined) {
      const pairs = this.#pairs;
      need('delete()', 1, arguments.length);
      const [key, wanted] = [textOf(name), value === undefined ? null : textOf(value)];
      this.#change(pairs.filter((pair) => pair[0] !== key || (wanted !== null && pair[1] !== wanted)));
    }
    get(name) {
      const pairs = this.#pairs;
      need('get()', 1, arguments.length);
      const key = textOf(name);
      return pairs.find((pair) => pair[0] === key)?.[1] ?? null;
    }
    getAll(name) {
      const pairs = this.#pairs;
      need('getAll()', 1, arguments.length);
      const key = textOf(name);
      return pairs.filter((pair) => pair[0] === key).map((pair) => pair[1]);
    }
    has(name, value = undefined) {
      const pairs = this.#pairs;
      need('has()', 1, arguments.length);
      const [key, wanted] = [textOf(name), value === undefined ? null : textOf(value)];
      return pairs.some((pair) => pair[0] === key && (wanted === null || pair[1] === wanted));
    }
    set(name, value) {
      const pairs = this.#pairs;
      need('set()', 2, arguments.length);
      const pair = [textOf(name), textOf(value)];
      const at = pairs.findIndex((each) => each[0] === pair[0]);
      this.#change(at < 0 ? [...pairs, pair] : [...pairs.slice(0, at), pair, ...pairs.slice(at + 1).filter((each) => each[0] !== pair[0])]);
    }
    sort() {
      this.#change([...this.#pairs].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
    }
    entries() {
      this.#pairs;
      return pairIterator(() => this.#pairs, (pair) => [...pair]);
    }
    keys() {
      this.#pairs;
      return pairIterator(() => this.#pairs, (pair) => pair[0]);
    }
    values() {
      this.#pairs;
      return pairIterator(() => this.#pairs, (pair) => pair[1]);
    }
    forEach(call, self = undefined) {
      this.#pairs;
      need('forEach()', 1, arguments.length);
      if (typeof call !== 'function') throw new TypeError('forEach() takes a function');
      for (let i = 0; i < this.#pairs.length; i++) call.call(self, this.#pairs[i][1], this.#pairs[i][0], this);
    }
    toString() {
      return this.#pairs.map(([name, value]) => `${formEncode(name)}=${formEncode(value)}`).join('&');
    }
  }
  shared.webInterface(URLSearchParams, 'URLSearchParams');
  Object.defineProperty(URLSearchParams.prototype, Symbol.iterator, { value: URLSearchParams.prototype.entries, writable: true, configurable: true });

  // --- URL -------------------------------------------------------------------------------------------------------------

  const PRIVATE = Symbol('made by URL.parse');

  function parsed(text, base) {
    const input = textOf(text);
    if (base === undefined) return urls.parse(input, null);
    const from = urls.parse(textOf(base), null);
    return from === null ? null : urls.parse(input, from);
  }

  class URL {
    #url;
    #params = null;
    constructor(text, base = undefined) {
      need('new URL()', 1, arguments.length);
      this.#url = text === PRIVATE ? base : parsed(text, base);
      if (this.#url === null) throw new TypeError(`"${text}" is not a URL${base === undefined ? '' : ` relative to "${base}"`}`);
    }
    static canParse(text, base = undefined) {
      need('URL.canParse()', 1, arguments.length);
      return parsed(text, base) !== null;
    }
    static parse(text, base = undefined) {
      need('URL.parse()', 1, arguments.length);
      const url = parsed(text, base);
      return url === null ? null : new URL(PRIVATE, url);
    }
    #refill() {
      if (this.#params !== null) refill(this.#params, this.#url.query ?? '');
    }
    get href() {
      return urls.text(this.#url);
    }
    set href(text) {
      this.#url;
      const url = urls.parse(textOf(text), null);
      if (url === null) throw new TypeError(`"${text}" is not a URL`);
      this.#url = url;
      this.#refill();
    }
    get origin() {
      return urls.origin(this.#url);
    }
    get protocol() {
      return `${this.#url.scheme}:`;
    }
    set protocol(text) {
      urls.change(this.#url, 'schemeStart', `${textOf(text)}:`);
    }
    get username() {
      return this.#url.username;
    }
    set username(text) {
      const encoded = urls.encodeUser(textOf(text));
      if (!urls.cannotHaveCredentials(this.#url)) this.#url.username = encoded;
    }
    get password() {
      return this.#url.password;
    }
    set password(text) {
      const encoded = urls.encodeUser(textOf(text));
      if (!urls.cannotHaveCredentials(this.#url)) this.#url.password = encoded;
    }
    get host() {
      return urls.hostText(this.#url);
    }
    set host(text) {
      const input = textOf(text);
      if (!urls.hasOpaquePath(this.#url)) urls.change(this.#url, 'host', input);
    }
    get hostname() {
      return this.#url.host ?? '';
    }
    set hostname(text) {
      const input = textOf(text);
      if (!urls.hasOpaquePath(this.#url)) urls.change(this.#url, 'hostname', input);
    }
    get port() {
      return `${this.#url.port ?? ''}`;
    }
    set port(text) {
      const input = textOf(text);
      if (urls.cannotHaveCredentials(this.#url)) return;
      if (input === '') this.#url.port = null;
      else urls.change(this.#url, 'port', input);
    }
    get pathname() {
      return urls.pathText(this.#url);
    }
    set pathname(text) {
      const input = textOf(text);
      if (urls.hasOpaquePath(this.#url)) return;
      this.#url.path = [];
      urls.change(this.#url, 'pathStart', input);
    }
    get search() {
      return this.#url.query === null || this.#url.query === '' ? '' : `?${this.#url.query}`;
    }
    set search(text) {
      const input = textOf(text);
      this.#url.query = input === '' ? null : '';
      if (input !== '') urls.change(this.#url, 'query', input.replace(/^\?/, ''));
      this.#refill();
    }
    get searchParams() {
      const url = this.#url;
      return (this.#params ??= follow(url.query ?? '', (text) => (this.#url.query = text === '' ? null : text)));
    }
    get hash() {
      return this.#url.fragment === null || this.#url.fragment === '' ? '' : `#${this.#url.fragment}`;
    }
    set hash(text) {
      const input = textOf(text);
      this.#url.fragment = input === '' ? null : '';
      if (input !== '') urls.change(this.#url, 'fragment', input.replace(/^#/, ''));
    }
    toString() {
      return this.href;
    }
    toJSON() {
      return this.href;
    }
  }
  shared.webInterface(URL, 'URL');

  Object.assign(globalThis, { URL, URLSearchParams });
  shared.webClasses.push(pairIteratorPrototype);
});
