// The built-in module: `client.cookies`, the cookies of the user whose hook runs.
(function (native, shared) {
  'use strict';
  const { freeze } = Object;
  const FIELDS = 7; // of one cookie in what the host gives

  const running = (what) => {
    if (shared.phase !== 'run') throw new Error(`client.cookies.${what}() can only be called while a step or another hook runs`);
  };
  const textOf = (what, url) => {
    if (!shared.is.url.test(url)) throw new TypeError(`client.cookies.${what}() takes a URL first, not ${shared.show(url)}`);
    return String(url);
  };

  function all(url) {
    const flat = native.cookies('get', url, null);
    const cookies = [];
    for (let i = 0; i < flat.length; i += FIELDS) {
      const [name, value, domain, path, secure, httpOnly, expires] = flat.slice(i, i + FIELDS);
      cookies.push(freeze({ name, value, domain, path, secure, httpOnly, expires: expires === null ? undefined : new Date(expires) }));
    }
    return cookies;
  }

  // All that would be sent to the URL, in that order; with a name the value of that one, or undefined.
  function get(url, name = undefined) {
    running('get');
    const cookies = all(textOf('get', url));
    return name === undefined ? cookies : cookies.find((cookie) => cookie.name === name)?.value;
  }

  const OPTIONS = { path: shared.is.text, domain: shared.is.text, maxAge: shared.is.duration, secure: shared.is.flag, httpOnly: shared.is.flag };

  function set(url, name, value, options = {}) {
    running('set');
    const target = textOf('set', url);
    if (typeof name !== 'string' || !/^[^\s=;,\x00-\x1f\x7f]+$/.test(name)) throw new TypeError(`client.cookies.set() takes a name without blanks, "=" and ";", not ${shared.show(name)}`);
    const text = String(value);
    if (/[;\x00-\x08\x0a-\x1f\x7f]/.test(text)) throw new TypeError(`the value of cookie "${name}" has a ";" or a control character: encode it`);
    const faults = [];
    shared.checkOptions('client.cookies.set()', options, OPTIONS, faults);
    if (faults.length > 0) throw new TypeError(faults[0].message);
    let field = `${name}=${text}`;
    for (const key of ['path', 'domain']) {
      if (options[key] === undefined) continue;
      if (/[;\x00-\x1f\x7f]/.test(options[key])) throw new TypeError(`option "${key}" of client.cookies.set() has a ";" or a control character`);
      field += `; ${key}=${options[key]}`;
    }
    if (options.maxAge !== undefined) field += `; Max-Age=${Math.ceil(shared.milliseconds(options.maxAge) / 1000)}`;
    if (options.secure) field += '; Secure';
    if (options.httpOnly) field += '; HttpOnly';
    native.cookies('set', target, field);
  }

  // All of the user; with a URL those that belong there.
  function clear(url = undefined) {
    running('clear');
    native.cookies('clear', url === undefined ? null : textOf('clear', url), null);
  }

  shared.cookieJar = freeze({ get, set, clear });
});
