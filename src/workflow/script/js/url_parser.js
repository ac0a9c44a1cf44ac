// URLs taken apart and put together again, by the letter of the URL Standard (https://url.spec.whatwg.org/): the basic
// URL parser with its states, hosts, and the serializer. A URL is a record { scheme, username, password, host, port,
// path, query, fragment }; its host is already serialized, its path is a list, or a text if it is opaque.
(function (native, shared) {
  'use strict';

  const PORTS = { __proto__: null, ftp: 21, file: null, http: 80, https: 443, ws: 80, wss: 443 };
  const special = (url) => url.scheme in PORTS;

  // --- percent encoding ------------------------------------------------------------------------------------------------

  const escaped = (c) => (c < '\x80' ? `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}` : encodeURIComponent(c));
  const encoder = (set) => (text) => text.replace(set, escaped);
  const encode = {
    control: encoder(/[\0-\x1f\x7f-\u{10ffff}]/gu),
    fragment: encoder(/[\0-\x20"<>`\x7f-\u{10ffff}]/gu),
    query: encoder(/[\0-\x20"#<>\x7f-\u{10ffff}]/gu),
    specialQuery: encoder(/[\0-\x20"#'<>\x7f-\u{10ffff}]/gu),
    path: encoder(/[\0-\x20"#<>?^`{}\x7f-\u{10ffff}]/gu),
    user: encoder(/[\0-\x20"#/:;<=>?@[\\\]^`{|}\x7f-\u{10ffff}]/gu),
  };
  const percentDecoded = (text) => (text.includes('%') ? native.percentDecode(text) : text);

  // --- hosts -----------------------------------------------------------------------------------------------------------

  const FORBIDDEN_IN_HOST = /[\0\t\n\r #/:<>?@[\\\]^|]/;
  const FORBIDDEN_IN_DOMAIN = /[\0-\x20#%/:<>?@[\\\]^|\x7f]/;

  // Each parser of a host gives null for a failure.
  function parseHost(text, opaque) {
    if (text.startsWith('[')) {
      const pieces = text.endsWith(']') ? parseIpv6(text.slice(1, -1)) : null;
      return pieces === null ? null : `[${ipv6Text(pieces)}]`;
    }
    if (opaque) return FORBIDDEN_IN_HOST.test(text) ? null : encode.control(text);
    const domain = toAscii(percentDecoded(text));
    if (domain === null || domain === '' || FORBIDDEN_IN_DOMAIN.test(domain)) return null;
    return endsInNumber(domain) ? parseIpv4(domain) : domain;
  }

  // UTS 46 is for names beyond ASCII; punycode that is written as such is not looked into.
  const toAscii = (domain) => (/^[\0-\x7f]*$/.test(domain) ? domain.toLowerCase() : native.domainToAscii(domain));

  function endsInNumber(domain) {
    const labels = domain.split('.');
    if (labels.at(-1) === '' && labels.length > 1) labels.pop();
    const last = labels.at(-1);
    return /^\d+$/.test(last) || ipv4Number(last) !== null;
  }

  function ipv4Number(text) {
    const [, hex, octal, decimal] = /^(?:0[xX]([0-9a-fA-F]*)|0([0-7]+)|(0|[1-9]\d*))$/.exec(text) ?? [];
    if (hex !== undefined) return hex === '' ? 0 : parseInt(hex, 16);
    if (octal !== undefined) return parseInt(octal, 8);
    return decimal === undefined ? null : Number(decimal);
  }

  function parseIpv4(domain) {
    const labels = domain.split('.');
    if (labels.at(-1) === '' && labels.length > 1) labels.pop();
    if (labels.length > 4) return null;
    const numbers = labels.map(ipv4Number);
    if (numbers.includes(null) || numbers.slice(0, -1).some((n) => n > 255) || numbers.at(-1) >= 256 ** (5 - numbers.length)) return null;
    const address = numbers.slice(0, -1).reduce((sum, n, i) => sum + n * 256 ** (3 - i), numbers.at(-1));
    return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');
  }

  // Eight numbers of 16 bits.
  function parseIpv6(text) {
    const halves = text.split('::');
    if (halves.length > 2) return null;
    const [head, tail] = halves.map((half, i) => ipv6Pieces(half, i === halves.length - 1));
    if (head === null || tail === null) return null;
    if (tail === undefined) return head.length === 8 ? head : null;
    return head.length + tail.length > 7 ? null : [...head, ...new Array(8 - head.length - tail.length).fill(0), ...tail];
  }

  function ipv6Pieces(text, mayEndInIpv4) {
    const pieces = [];
    if (text === '') return pieces;
    const parts = text.split(':');
    for (const [i, part] of parts.entries()) {
      if (/^[0-9a-fA-F]{1,4}$/.test(part)) pieces.push(parseInt(part, 16));
      else if (mayEndInIpv4 && i === parts.length - 1 && /^(0|[1-9]\d{0,2})(\.(0|[1-9]\d{0,2})){3}$/.test(part)) {
        const bytes = part.split('.').map(Number);
        if (bytes.some((byte) => byte > 255)) return null;
        pieces.push(bytes[0] * 256 + bytes[1], bytes[2] * 256 + bytes[3]);
      } else return null;
    }
    return pieces;
  }

  // The longest run of zeros, at least two, the first of equal ones, is left out.
  function ipv6Text(pieces) {
    let from = -1;
    let length = 1;
    for (let i = 0, run = 0; i < 8; i++) {
      run = pieces[i] === 0 ? run + 1 : 0;
      if (run > length) [from, length] = [i - run + 1, run];
    }
    const hex = (list) => list.map((piece) => piece.toString(16)).join(':');
    return from < 0 ? hex(pieces) : `${hex(pieces.slice(0, from))}::${hex(pieces.slice(from + length))}`;
  }

  // --- the parser ------------------------------------------------------------------------------------------------------

  const FAILED = 1, DONE = 2;
  const isDriveLetter = (text) => /^[A-Za-z][:|]$/.test(text);
  const isNormalDriveLetter = (text) => /^[A-Za-z]:$/.test(text);
  const isDot = (segment) => /^(\.|%2e)$/i.test(segment);
  const isDotDot = (segment) => /^(\.|%2e){2}$/i.test(segment);
  const hasCredentials = (url) => url.username !== '' || url.password !== '';
  const hasOpaquePath = (url) => typeof url.path === 'string';

  function shorten(url) {
    if (url.scheme === 'file' && url.path.length === 1 && isNormalDriveLetter(url.path[0])) return;
    url.path.pop();
  }

  // A method per state of the standard, called with the code unit at `at`, undefined at the end. All that states look
  // for is ASCII, so that code units do where the standard has code points; what is encoded is encoded as a whole.
  class Parser {
    constructor(text, base, url, override) {
      this.url = url ?? { scheme: '', username: '', password: '', host: null, port: null, path: [], query: null, fragment: null };
      this.text = (url === null ? text.replace(/^[\0-\x20]+/, '').replace(/[\0-\x20]+$/, '') : text).replace(/[\t\n\r]/g, '');
      this.base = base;
      this.override = override;
      this.at = 0;
      this.buffer = '';
      this.sawAt = this.inBrackets = this.sawPassword = false;
      this.state = override === null ? 'schemeStart' : override;
    }

    // The URL, or null.
    run() {
      for (;; this.at++) {
        const end = this[this.state](this.text[this.at]);
        if (end === FAILED) return null;
        if (end === DONE || this.at >= this.text.length) return this.url;
      }
    }

    // The next state, with this code unit again.
    again(state) {
      this.state = state;
      this.at--;
    }
    isSlash(c) {
      return c === '/' || (c === '\\' && special(this.url));
    }
    endsAuthority(c) {
      return c === undefined || c === '?' || c === '#' || this.isSlash(c);
    }
    // Whether a query or a fragment begins here.
    tail(c) {
      if (c !== '?' && c !== '#') return false;
      this.buffer = '';
      this.url[c === '?' ? 'query' : 'fragment'] = '';
      this.state = c === '?' ? 'query' : 'fragment';
      return true;
    }
    take(...names) {
      for (const name of names) this.url[name] = name === 'path' && !hasOpaquePath(this.base) ? [...this.base.path] : this.base[name];
    }

    schemeStart(c) {
      if (c !== undefined && /[A-Za-z]/.test(c)) {
        this.buffer += c.toLowerCase();
        this.state = 'scheme';
      } else if (this.override === null) this.again('noScheme');
      else return FAILED;
    }
    scheme(c) {
      if (c !== undefined && /[A-Za-z0-9+.-]/.test(c)) {
        this.buffer += c.toLowerCase();
      } else if (c === ':') return this.schemeEnds();
      else if (this.override === null) {
        this.buffer = '';
        this.state = 'noScheme';
        this.at = -1;
      } else return FAILED;
    }
    schemeEnds() {
      const { url, base, buffer } = this;
      if (this.override !== null) {
        if (special(url) !== buffer in PORTS) return DONE;
        if (buffer === 'file' && (hasCredentials(url) || url.port !== null)) return DONE;
        if (url.scheme === 'file' && url.host === '') return DONE;
      }
      url.scheme = buffer;
      if (this.override !== null) {
        if (url.port === PORTS[url.scheme]) url.port = null;
        return DONE;
      }
      this.buffer = '';
      if (url.scheme === 'file') this.state = 'file';
      else if (special(url)) this.state = base !== null && base.scheme === url.scheme ? 'specialRelativeOrAuthority' : 'specialAuthoritySlashes';
      else if (this.text[this.at + 1] === '/') {
        this.state = 'pathOrAuthority';
        this.at++;
      } else {
        url.path = '';
        this.state = 'opaquePath';
      }
    }
    noScheme(c) {
      const { base } = this;
      if (base === null || (hasOpaquePath(base) && c !== '#')) return FAILED;
      if (hasOpaquePath(base)) {
        this.take('scheme', 'path', 'query');
        this.tail(c);
      } else this.again(base.scheme === 'file' ? 'file' : 'relative');
    }
    specialRelativeOrAuthority(c) {
      if (c === '/' && this.text[this.at + 1] === '/') {
        this.state = 'specialAuthorityIgnoreSlashes';
        this.at++;
      } else this.again('relative');
    }
    pathOrAuthority(c) {
      if (c === '/') this.state = 'authority';
      else this.again('path');
    }
    relative(c) {
      this.take('scheme');
      if (this.isSlash(c)) {
        this.state = 'relativeSlash';
        return;
      }
      this.take('username', 'password', 'host', 'port', 'path', 'query');
      if (this.tail(c) || c === undefined) return;
      this.url.query = null;
      shorten(this.url);
      this.again('path');
    }
    relativeSlash(c) {
      if (special(this.url) && this.isSlash(c)) this.state = 'specialAuthorityIgnoreSlashes';
      else if (c === '/') this.state = 'authority';
      else {
        this.take('username', 'password', 'host', 'port');
        this.again('path');
      }
    }
    specialAuthoritySlashes(c) {
      if (c === '/' && this.text[this.at + 1] === '/') {
        this.state = 'specialAuthorityIgnoreSlashes';
        this.at++;
      } else this.again('specialAuthorityIgnoreSlashes');
    }
    specialAuthorityIgnoreSlashes(c) {
      if (c !== '/' && c !== '\\') this.again('authority');
    }
    authority(c) {
      if (c === '@') this.credentials();
      else if (this.endsAuthority(c)) {
        if (this.sawAt && this.buffer === '') return FAILED;
        this.at -= this.buffer.length + 1;
        this.buffer = '';
        this.state = 'host';
      } else this.buffer += c;
    }
    credentials() {
      const text = this.sawAt ? `%40${this.buffer}` : this.buffer;
      this.sawAt = true;
      const colon = this.sawPassword ? -1 : text.indexOf(':');
      if (this.sawPassword) this.url.password += encode.user(text);
      else this.url.username += encode.user(colon < 0 ? text : text.slice(0, colon));
      if (colon >= 0) {
        this.sawPassword = true;
        this.url.password += encode.user(text.slice(colon + 1));
      }
      this.buffer = '';
    }
    hostname(c) {
      return this.host(c);
    }
    host(c) {
      const { url, override } = this;
      if (override !== null && url.scheme === 'file') {
        this.again('fileHost');
      } else if (c === ':' && !this.inBrackets) {
        if (this.buffer === '' || override === 'hostname') return FAILED;
        return this.hostEnds('port');
      } else if (this.endsAuthority(c)) {
        this.at--;
        if (this.buffer === '' && (special(url) || (override !== null && (hasCredentials(url) || url.port !== null)))) return FAILED;
        return this.hostEnds('pathStart') ?? (override === null ? undefined : DONE);
      } else {
        if (c === '[') this.inBrackets = true;
        if (c === ']') this.inBrackets = false;
        this.buffer += c;
      }
    }
    hostEnds(next) {
      const host = parseHost(this.buffer, !special(this.url));
      if (host === null) return FAILED;
      this.url.host = host;
      this.buffer = '';
      this.state = next;
    }
    port(c) {
      if (c !== undefined && /[0-9]/.test(c)) {
        this.buffer += c;
        return;
      }
      if (!this.endsAuthority(c) && this.override === null) return FAILED;
      if (this.buffer !== '') {
        const port = Number(this.buffer);
        if (port > 65535) return FAILED;
        this.url.port = port === PORTS[this.url.scheme] ? null : port;
        this.buffer = '';
        if (this.override !== null) return DONE;
      }
      if (this.override !== null) return FAILED;
      this.again('pathStart');
    }
    file(c) {
      const { url, base } = this;
      url.scheme = 'file';
      url.host = '';
      if (c === '/' || c === '\\') this.state = 'fileSlash';
      else if (base !== null && base.scheme === 'file') {
        this.take('host', 'path', 'query');
        if (this.tail(c) || c === undefined) return;
        url.query = null;
        if (this.driveLetterAhead()) url.path = [];
        else shorten(url);
        this.again('path');
      } else this.again('path');
    }
    driveLetterAhead() {
      return /^[A-Za-z][:|]($|[/\\?#])/.test(this.text.slice(this.at));
    }
    fileSlash(c) {
      const { url, base } = this;
      if (c === '/' || c === '\\') {
        this.state = 'fileHost';
        return;
      }
      if (base !== null && base.scheme === 'file') {
        url.host = base.host;
        if (!this.driveLetterAhead() && base.path.length > 0 && isNormalDriveLetter(base.path[0])) url.path.push(base.path[0]);
      }
      this.again('path');
    }
    fileHost(c) {
      if (c !== undefined && !/[/\\?#]/.test(c)) {
        this.buffer += c;
        return;
      }
      if (this.override === null && isDriveLetter(this.buffer)) {
        this.again('path');
        return;
      }
      this.at--;
      if (this.buffer === '') {
        this.url.host = '';
        this.state = 'pathStart';
      } else {
        if (this.hostEnds('pathStart') === FAILED) return FAILED;
        if (this.url.host === 'localhost') this.url.host = '';
      }
      return this.override === null ? undefined : DONE;
    }
    pathStart(c) {
      if (special(this.url)) {
        if (this.isSlash(c)) this.state = 'path';
        else this.again('path');
      } else if (this.override === null && this.tail(c)) return;
      else if (c === '/') this.state = 'path';
      else if (c !== undefined) this.again('path');
      else if (this.override !== null && this.url.host === null) this.url.path.push('');
    }
    path(c) {
      const { url, buffer } = this;
      const slash = this.isSlash(c);
      if (c !== undefined && !slash && (this.override !== null || (c !== '?' && c !== '#'))) {
        this.buffer += c;
        return;
      }
      if (isDotDot(buffer)) {
        shorten(url);
        if (!slash) url.path.push('');
      } else if (isDot(buffer)) {
        if (!slash) url.path.push('');
      } else if (url.scheme === 'file' && url.path.length === 0 && isDriveLetter(buffer)) url.path.push(`${buffer[0]}:`);
      else url.path.push(encode.path(buffer));
      this.buffer = '';
      this.tail(c);
    }
    opaquePath(c) {
      if (c === undefined || this.tail(c)) return;
      const next = this.text[this.at + 1];
      if (c === ' ') this.url.path += next === '?' || next === '#' ? '%20' : ' ';
      else {
        const rest = /^[^?# ]*/.exec(this.text.slice(this.at))[0];
        this.url.path += encode.control(rest);
        this.at += rest.length - 1;
      }
    }
    query(c) {
      if (c !== undefined && (c !== '#' || this.override !== null)) {
        this.buffer += c;
        return;
      }
      this.url.query += (special(this.url) ? encode.specialQuery : encode.query)(this.buffer);
      this.tail(c);
    }
    fragment() {
      this.url.fragment += encode.fragment(this.text.slice(this.at));
      this.at = this.text.length;
    }
  }

  // --- all of it -------------------------------------------------------------------------------------------------------

  const pathText = (url) => (hasOpaquePath(url) ? url.path : url.path.map((segment) => `/${segment}`).join(''));
  const hostText = (url) => (url.host === null ? '' : url.port === null ? url.host : `${url.host}:${url.port}`);

  function text(url) {
    let written = `${url.scheme}:`;
    if (url.host !== null) {
      written += '//';
      if (hasCredentials(url)) written += `${url.username}${url.password === '' ? '' : `:${url.password}`}@`;
      written += hostText(url);
    } else if (!hasOpaquePath(url) && url.path.length > 1 && url.path[0] === '') written += '/.';
    return written + pathText(url) + (url.query === null ? '' : `?${url.query}`) + (url.fragment === null ? '' : `#${url.fragment}`);
  }

  const parse = (input, base) => new Parser(input, base, null, null).run();

  function origin(url) {
    if (url.scheme === 'blob') {
      const inner = hasOpaquePath(url) ? parse(url.path, null) : null;
      return inner !== null && (inner.scheme === 'http' || inner.scheme === 'https') ? origin(inner) : 'null';
    }
    return special(url) && url.scheme !== 'file' ? `${url.scheme}://${hostText(url)}` : 'null';
  }

  shared.urls = {
    parse, text, origin, hostText, pathText, hasOpaquePath, percentDecoded,
    // Parses from one state on, into the URL itself.
    change: (url, state, input) => new Parser(input, null, url, state).run(),
    encodeUser: encode.user,
    cannotHaveCredentials: (url) => url.host === null || url.host === '' || url.scheme === 'file',
  };
});
