// Texts and bytes: TextEncoder and TextDecoder of the Encoding Standard (https://encoding.spec.whatwg.org/), for UTF-8;
// atob and btoa of the HTML Standard; and DOMException, which these throw.
(function (native, shared) {
  'use strict';

  // Members of a class become enumerable, as those of Web IDL interfaces are.
  shared.webInterface = function (cls, name) {
    for (const holder of [cls, cls.prototype]) {
      for (const key of Object.getOwnPropertyNames(holder)) {
        if (['length', 'name', 'prototype', 'constructor'].includes(key) && Object.getOwnPropertyDescriptor(holder, key).get === undefined) continue;
        Object.defineProperty(holder, key, { enumerable: true });
      }
    }
    Object.defineProperty(cls.prototype, Symbol.toStringTag, { value: name, configurable: true });
  };

  // --- DOMException ----------------------------------------------------------------------------------------------------

  const CODES = {
    INDEX_SIZE_ERR: 1, DOMSTRING_SIZE_ERR: 2, HIERARCHY_REQUEST_ERR: 3, WRONG_DOCUMENT_ERR: 4, INVALID_CHARACTER_ERR: 5,
    NO_DATA_ALLOWED_ERR: 6, NO_MODIFICATION_ALLOWED_ERR: 7, NOT_FOUND_ERR: 8, NOT_SUPPORTED_ERR: 9, INUSE_ATTRIBUTE_ERR: 10,
    INVALID_STATE_ERR: 11, SYNTAX_ERR: 12, INVALID_MODIFICATION_ERR: 13, NAMESPACE_ERR: 14, INVALID_ACCESS_ERR: 15,
    VALIDATION_ERR: 16, TYPE_MISMATCH_ERR: 17, SECURITY_ERR: 18, NETWORK_ERR: 19, ABORT_ERR: 20, URL_MISMATCH_ERR: 21,
    QUOTA_EXCEEDED_ERR: 22, TIMEOUT_ERR: 23, INVALID_NODE_TYPE_ERR: 24, DATA_CLONE_ERR: 25,
  };
  const NAMES = {
    __proto__: null, IndexSizeError: 1, HierarchyRequestError: 3, WrongDocumentError: 4, InvalidCharacterError: 5,
    NoModificationAllowedError: 7, NotFoundError: 8, NotSupportedError: 9, InUseAttributeError: 10, InvalidStateError: 11, SyntaxError: 12,
    InvalidModificationError: 13, NamespaceError: 14, InvalidAccessError: 15, TypeMismatchError: 17, SecurityError: 18, NetworkError: 19,
    AbortError: 20, URLMismatchError: 21, QuotaExceededError: 22, TimeoutError: 23, InvalidNodeTypeError: 24, DataCloneError: 25,
  };
  class DOMException extends Error {
    #message;
    #name;
    constructor(message = '', name = 'Error') {
      super();
      this.#message = `${message}`;
      this.#name = `${name}`;
    }
    get name() {
      return this.#name;
    }
    get message() {
      return this.#message;
    }
    get code() {
      return NAMES[this.#name] ?? 0;
    }
  }
  shared.webInterface(DOMException, 'DOMException');
  for (const holder of [DOMException, DOMException.prototype])
    for (const [name, value] of Object.entries(CODES)) Object.defineProperty(holder, name, { value, enumerable: true });
  shared.domException = (message, name) => new DOMException(message, name);

  // --- TextEncoder and TextDecoder -------------------------------------------------------------------------------------

  class TextEncoder {
    #brand;
    get encoding() {
      this.#brand;
      return 'utf-8';
    }
    encode(text = '') {
      this.#brand;
      return native.encodeUtf8(`${text}`);
    }
    // As much of the text as fits, and never a part of a character.
    encodeInto(source, destination) {
      this.#brand;
      if (arguments.length < 2) throw new TypeError('encodeInto() takes a text and a Uint8Array');
      const text = `${source}`.toWellFormed();
      if (!(destination instanceof Uint8Array)) throw new TypeError('encodeInto() writes into a Uint8Array');
      let read = 0;
      let written = 0;
      while (read < text.length) {
        const code = text.codePointAt(read);
        const size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
        if (written + size > destination.length) break;
        if (size === 1) destination[written] = code;
        else {
          destination[written] = (0xf00 >> size) & 0xff | (code >> (6 * (size - 1)));
          for (let i = 1; i < size; i++) destination[written + i] = 0x80 | ((code >> (6 * (size - 1 - i))) & 0x3f);
        }
        written += size;
        read += code < 0x10000 ? 1 : 2;
      }
      return { read, written };
    }
  }
  shared.webInterface(TextEncoder, 'TextEncoder');

  const LABELS = ['unicode-1-1-utf-8', 'unicode11utf8', 'unicode20utf8', 'utf-8', 'utf8', 'x-unicode20utf8'];
  const dictionary = (what, options) => {
    if (options === undefined || options === null) return {};
    if (typeof options !== 'object' && typeof options !== 'function') throw new TypeError(`${what} takes an object of options`);
    return options;
  };

  function viewOf(what, value) {
    if (value === undefined) return new Uint8Array();
    if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    if (Object.prototype.toString.call(value) === '[object ArrayBuffer]') return new Uint8Array(value);
    throw new TypeError(`${what} takes bytes: an ArrayBuffer or a view of one`);
  }

  // How many bytes at the end begin a character that is not complete.
  function incompleteTail(bytes) {
    for (let back = 1; back <= 3 && back <= bytes.length; back++) {
      const lead = bytes[bytes.length - back];
      if ((lead & 0xc0) === 0x80) continue;
      const size = lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 1;
      if (size <= back) return 0;
      const second = back > 1 ? bytes[bytes.length - back + 1] : 0;
      const bad = back > 1 && ((lead === 0xe0 && second < 0xa0) || (lead === 0xed && second > 0x9f) || (lead === 0xf0 && second < 0x90) || (lead === 0xf4 && second > 0x8f));
      return bad ? 0 : back;
    }
    return 0;
  }

  class TextDecoder {
    #fatal;
    #ignoreBOM;
    #left = null; // bytes of a stream that have not been decoded
    #streaming = false;
    #sawBOM = false;
    constructor(label = 'utf-8', options = undefined) {
      const name = `${label}`.replace(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, '').toLowerCase();
      const { fatal, ignoreBOM } = dictionary('TextDecoder', options);
      if (!LABELS.includes(name)) throw new RangeError(`TextDecoder decodes utf-8 only, not "${label}"`);
      this.#fatal = Boolean(fatal);
      this.#ignoreBOM = Boolean(ignoreBOM);
    }
    get encoding() {
      this.#fatal;
      return 'utf-8';
    }
    get fatal() {
      return this.#fatal;
    }
    get ignoreBOM() {
      return this.#ignoreBOM;
    }
    decode(input = undefined, options = undefined) {
      this.#fatal;
      let bytes = viewOf('decode()', input);
      const stream = Boolean(dictionary('decode()', options).stream);
      if (!this.#streaming) {
        this.#left = null;
        this.#sawBOM = false;
      }
      this.#streaming = stream;
      if (this.#left !== null && this.#left.length > 0) {
        const whole = new Uint8Array(this.#left.length + bytes.length);
        whole.set(this.#left);
        whole.set(bytes, this.#left.length);
        bytes = whole;
      }
      const tail = stream ? incompleteTail(bytes) : 0;
      this.#left = tail === 0 ? null : bytes.slice(bytes.length - tail);
      const text = native.decodeUtf8(tail === 0 ? bytes : bytes.subarray(0, bytes.length - tail), this.#fatal);
      if (typeof text === 'number') {
        this.#left = bytes.slice(text);
        throw new TypeError('the bytes are not UTF-8');
      }
      if (text === '' || this.#sawBOM) return text;
      this.#sawBOM = true;
      return !this.#ignoreBOM && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
    }
  }
  shared.webInterface(TextDecoder, 'TextDecoder');

  // --- base64 ----------------------------------------------------------------------------------------------------------

  const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  function btoa(text) {
    if (arguments.length === 0) throw new TypeError('btoa() takes a text');
    const input = `${text}`;
    if (/[^\0-\xff]/.test(input)) throw new DOMException('btoa() takes characters up to U+00FF; encode other text with TextEncoder first', 'InvalidCharacterError');
    let output = '';
    for (let i = 0; i < input.length; i += 3) {
      const bits = (input.charCodeAt(i) << 16) | (input.charCodeAt(i + 1) << 8) | input.charCodeAt(i + 2); // NaN is 0 here
      output += DIGITS[bits >> 18] + DIGITS[(bits >> 12) & 63] + (i + 1 < input.length ? DIGITS[(bits >> 6) & 63] : '=') + (i + 2 < input.length ? DIGITS[bits & 63] : '=');
    }
    return output;
  }
  // "Forgiving-base64 decode" of the Infra Standard.
  function atob(text) {
    if (arguments.length === 0) throw new TypeError('atob() takes a text');
    let input = `${text}`.replace(/[\t\n\f\r ]+/g, '');
    if (input.length % 4 === 0) input = input.replace(/={1,2}$/, '');
    if (input.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(input)) throw new DOMException('atob() takes base64', 'InvalidCharacterError');
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
  Object.assign(globalThis, { DOMException, TextEncoder, TextDecoder, btoa, atob });
  shared.webClasses = []; // that are to be frozen although no global leads to them
});
