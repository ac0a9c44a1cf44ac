// The built-in module, second part: virtual users and what their hooks can call. The host enters through the functions
// of shared.entries, one user at a time: `current` is the user whose resume it is, also in every promise job of it.
(function (native, shared) {
  'use strict';
  const { then } = Promise.prototype;
  const resolved = Promise.resolve.bind(Promise);
  const { defineProperties, getOwnPropertyDescriptors, freeze } = Object;
  const { WeakRef } = globalThis; // taken away from scripts later

  const users = [];
  const pending = new Map(); // call -> { user, resolve }
  const timers = new Map(); // timer -> { user, run, repeat }
  const plans = () => shared.plans;
  let current = null;

  // --- modules ---------------------------------------------------------------------------------------------------------

  const modules = [];
  let sharedJson = new Map();

  function deepFreeze(value) {
    if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
      freeze(value);
      for (const key of Reflect.ownKeys(value)) deepFreeze(value[key]);
    }
    return value;
  }

  // What a promise of a call waits for, in a private field of the promise: no script can reach it.
  class Itself {
    constructor(promise) {
      return promise;
    }
  }
  class Waiting extends Itself {
    #wait;
    constructor(promise, wait) {
      super(promise);
      this.#wait = wait;
    }
    static of(value) {
      return typeof value === 'object' && value !== null && #wait in value ? value.#wait : undefined;
    }
  }
  const waitOf = Waiting.of;
  function seen(wait) {
    if (wait === undefined || wait.seen) return;
    wait.seen = true;
    if (wait.turn < 0 || pending.has(wait.call)) return;
    if (native.seen(wait.call)) pending.set(wait.call, wait);
    else wait.resolve(responseOf(wait.raw, wait.call, 0, 0, 'it was answered in an earlier iteration'));
  }
  Promise.prototype.then = { then(fulfilled, rejected) {
    seen(waitOf(this));
    return then.call(this, fulfilled, rejected);
  } }.then;

  // Counts jobs. One in so many asks whether the resume is over a limit; if it is, the job waits for ever.
  let jobs = 0;
  function tick(value) {
    seen(waitOf(value));
    jobs = (jobs + 1) & 127;
    return jobs === 0 && native.over() ? new Promise(() => {}) : value;
  }

  // What rewritten loops and functions count down.
  const COUNTS_BEFORE_WATCH = 20000;
  const watch = {
    n: COUNTS_BEFORE_WATCH,
    begin() {
      watch.n = Number.MAX_SAFE_INTEGER;
      native.watch();
    },
  };

  // Runs every module for one user and gives the exports of the entry.
  shared.runModules = function () {
    const spaces = modules.map((module) => (module.early ? { __proto__: null } : null));
    modules.forEach((module, index) => {
      if (module.json !== undefined) {
        spaces[index] = module.json;
        return;
      }
      const offer = (getters) => {
        for (const star of module.stars) {
          const descriptors = getOwnPropertyDescriptors(star < 0 ? shared.api : spaces[star]);
          delete descriptors.default;
          for (const name of Reflect.ownKeys(getters)) delete descriptors[name];
          defineProperties(getters, descriptors);
        }
        if (module.early) defineProperties(spaces[index], getOwnPropertyDescriptors(getters));
        else spaces[index] = getters;
      };
      const { run, uses } = module;
      run(offer, tick, shared.optimised, watch, ...uses.map((use) => (use < 0 ? shared.api : spaces[use])));
    });
    return spaces[modules.length - 1];
  };

  function addModule(run, json, uses, stars, file) {
    const index = modules.length;
    for (const use of uses) if (use >= index) shared.early.add(use);
    const module = { run, uses, stars, json: json === null ? undefined : freeze({ __proto__: null, default: deepFreeze(JSON.parse(json)) }) };
    modules.push(module);
    for (const early of shared.early) if (early < modules.length) modules[early].early = true;
    shared.entryName = file.split('/').at(-1).replace(/\.\w+$/, '');
  }
  shared.early = new Set();

  // --- responses and calls -----------------------------------------------------------------------------------------------

  class Response {
    #call;
    #body;
    #json;
    #headers;
    constructor(call, status, duration, error) {
      this.#call = call;
      this.status = status;
      this.duration = duration;
      if (error !== null) this.error = error;
    }
    get ok() {
      return this.status >= 100 && this.status < 400;
    }
    get url() {
      return native.responseUrl(this.#call);
    }
    get body() {
      return (this.#body ??= native.responseBody(this.#call));
    }
    get headers() {
      if (this.#headers === undefined) {
        const headers = {};
        const flat = native.responseHeaders(this.#call);
        for (let i = 0; i < flat.length; i += 2) {
          const name = flat[i].toLowerCase();
          headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${flat[i + 1]}` : flat[i + 1];
        }
        this.#headers = freeze(headers);
      }
      return this.#headers;
    }
    header(name) {
      return this.headers[String(name).toLowerCase()];
    }
    text() {
      return this.body;
    }
    json(path = undefined) {
      if (path !== undefined) throw new TypeError(`json() takes no path: write ${shared.asCode('json()', path)}`);
      if (this.#json !== undefined) return this.#json;
      if (this.error !== undefined) throw new Error(`there is no answer to read: ${this.error}`);
      try {
        return (this.#json = JSON.parse(this.body));
      } catch (error) {
        throw new Error(`the answer (status ${this.status}) is not JSON: ${error.message}`);
      }
    }
    static callOf(value) {
      return typeof value === 'object' && value !== null && #call in value ? value.#call : -1;
    }
  }

  // The answer to raw bytes: there is no status, and nothing but bytes.
  class RawResponse {
    #call;
    #body;
    #bytes;
    constructor(call, duration, error) {
      this.#call = call;
      this.duration = duration;
      if (error !== null) this.error = error;
    }
    get ok() {
      return this.error === undefined;
    }
    get url() {
      return native.responseUrl(this.#call);
    }
    get body() {
      return (this.#body ??= this.ok ? native.responseBody(this.#call) : '');
    }
    get bytes() {
      return (this.#bytes ??= this.ok ? native.responseBytes(this.#call) : new Uint8Array());
    }
    text() {
      return this.body;
    }
    static callOf(value) {
      return typeof value === 'object' && value !== null && #call in value ? value.#call : -1;
    }
  }
  const { callOf: httpCallOf } = Response;
  const { callOf: rawCallOf } = RawResponse;
  delete Response.callOf;
  delete RawResponse.callOf;
  const callOf = (value) => Math.max(httpCallOf(value), rawCallOf(value));
  const responseOf = (raw, call, status, duration, error) => (raw ? new RawResponse(call, duration, error) : new Response(call, status, duration, error));

  // Waits for the answer to a call. A hook that returns such a promise itself is ended by the answer, without a job. If
  // moreover nobody looks at the promise or at the hook's result, the engine is not entered for the answer at all: the
  // host is told so by what begin() returns, and told otherwise as soon as somebody does look.
  let latestPromise = null;
  let latestCall = -1;
  function answered(call, raw = false) {
    const wait = { call, user: current, resolve: null, turn: -1, index: -1, seen: false, raw };
    const promise = new Promise((resolve) => {
      wait.resolve = resolve;
    });
    new Waiting(promise, wait);
    latestPromise = promise;
    latestCall = call;
    pending.set(call, wait);
    return promise;
  }

  // Requests that are a method, a URL and a group and nothing else have a number from the second time on.
  function sendPlain(known, method, target, group) {
    let number = known.get(target);
    if (number === undefined) {
      number = target.startsWith('/') ? -1 : native.know(method, target, null, null, null, null, group === '' ? null : group);
      if (known.size < 1000) known.set(target, number);
    }
    return answered(number >= 0 ? native.startKnown(number) : native.start(method, target, null, null, null, null, group === '' ? null : group));
  }

  shared.send = function (method, target, options, group, graphql = false) {
    const faults = [];
    if (!shared.is.url.test(target)) throw new TypeError(`http.${method.toLowerCase()}() takes a URL first, not ${shared.show(target)}`);
    if (options !== undefined) {
      shared.checkOptions(`http.${method.toLowerCase()}()`, options, shared.REQUEST, faults);
      if (shared.isObject(options.expect)) shared.checkOptions('expect', options.expect, shared.EXPECT, faults);
      if (faults.length > 0) throw new TypeError(faults[0].message);
    }
    const request = shared.buildRequest(method, target, options);
    const headers = request.headers.flat();
    if (group === '' && request.group !== '') group = request.group;
    const { ids } = request;
    const call = native.start(method, request.url, headers.length === 0 ? null : headers, request.body ?? null, request.timeout || null,
      request.name || null, group || null, request.statuses.length === 0 ? null : request.statuses, request.bodyContains || null, request.tags.length === 0 ? null : request.tags.flat(),
      ids === null ? null : [ids.url ?? 0, ids.headers ?? 0, ids.params ?? 0, ids.cookies ?? 0, ids.auth ?? 0, ids.data ?? 0], graphql);
    return answered(call);
  };

  // A query or a mutation as a POST. An answer that has `errors` counts as failed, whatever its status.
  function sendGraphql(target, options, group) {
    const faults = [];
    shared.checkOptions('graphql()', options, shared.GRAPHQL, faults);
    if (!shared.isObject(options) || options.query === undefined) faults.push({ message: 'graphql() takes a URL and { query, variables, operationName }' });
    if (faults.length > 0) throw new TypeError(faults[0].message);
    const { query, variables, operationName, ...rest } = options;
    const data = native.graphqlBody(query, operationName ?? null, variables === undefined ? null : JSON.stringify(variables));
    return shared.send('POST', target, { ...rest, headers: { 'content-type': 'application/json', ...rest.headers }, data }, group, true);
  }

  function sendRaw(protocol, target, options, group) {
    const faults = [];
    shared.checkRaw(protocol, target, options, faults);
    if (faults.length > 0) throw new TypeError(faults[0].message);
    const request = shared.buildRaw(target, options);
    if (group === '' && request.group !== '') group = request.group;
    const call = native.start(request.method, request.url, null, request.body, request.timeout || null, request.name || null, group || null, null, request.bodyContains || null,
      request.tags.length === 0 ? null : request.tags.flat(), null, false, request.until ?? null, request.read || null);
    return answered(call, true);
  }

  function clientOf(group) {
    const verb = (method) => {
      const known = new Map();
      return (target, options) => {
        if (options === undefined && typeof target === 'string') return sendPlain(known, method, target, group);
        return shared.send(method, target, options, group);
      };
    };
    return freeze({
      group,
      graphql: (target, options) => sendGraphql(target, options, group),
      tcp: (target, options) => sendRaw('tcp', target, options, group),
      udp: (target, options) => sendRaw('udp', target, options, group),
      cookies: shared.cookieJar,
      http: freeze({
        get: verb('GET'), post: verb('POST'), put: verb('PUT'), patch: verb('PATCH'), delete: verb('DELETE'), head: verb('HEAD'),
        options: verb('OPTIONS'),
        request: (method, target, options) => shared.send(String(method).toUpperCase(), target, options, group),
      }),
    });
  }
  const client = clientOf('');
  shared.client = client;

  // A client whose calls are counted under a name: `const pay = group('pay', client)`.
  const groups = new Map();
  function group(name, of = client) {
    if (typeof name !== 'string' || name === '') throw new TypeError(`group() takes a name, not ${shared.show(name)}`);
    if (typeof of?.group !== 'string') throw new TypeError(`group() takes a client and returns one: const pay = group('pay', client); it got ${shared.show(of)}`);
    const full = of.group === '' ? name : `${of.group}/${name}`;
    if (!groups.has(full)) {
      if (groups.size >= 1000) throw new RangeError('there are more than 1000 groups; is a name made of something that changes?');
      groups.set(full, clientOf(full));
    }
    return groups.get(full);
  }

  // --- users -------------------------------------------------------------------------------------------------------------

  class Context {
    #values;
    constructor(values) {
      this.#values = values;
    }
    get(name, fallback = undefined) {
      return Object.hasOwn(this.#values, name) ? this.#values[name] : fallback;
    }
    set(name, value) {
      this.#values[name] = value;
    }
    has(name) {
      return Object.hasOwn(this.#values, name);
    }
  }

  // What every hook is given beside the results: properties of a shared prototype cost a user nothing.
  const base = {
    get client() {
      return client;
    },
    get context() {
      return new Context(this);
    },
    get vu() {
      return current.vu;
    },
    get iteration() {
      return current.iteration;
    },
    set client(value) {
      own(this, 'client', value);
    },
    set context(value) {
      own(this, 'context', value);
    },
    set vu(value) {
      own(this, 'vu', value);
    },
    set iteration(value) {
      own(this, 'iteration', value);
    },
  };
  function IterationContext() {}
  IterationContext.prototype = base;
  const own = (object, name, value) => Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });

  const isArrow = (fn) => /^(async\s*)?(\([^]*?\)|[\w$]+)\s*=>/.test(Function.prototype.toString.call(fn));

  function create(slot, workflow, vu) {
    const plan = plans().get(workflow);
    shared.phase = 'instantiate';
    shared.customTypes = new Map();
    const instance = new (shared.runModules()[plan.exported])();
    const functions = plan.hooks.map((hook) => (hook.scripted ? instance[hook.name] : undefined));
    plan.needsSelf ??= functions.some((fn) => fn !== undefined && !isArrow(fn));
    const types = shared.customTypes.size === 0 ? null : shared.customTypes;
    // Whether nobody can read what its one scripted step returns.
    plan.alone ??= plan.hooks.filter((hook) => hook.scripted && hook.kind !== 'action' && hook.direction !== 'use').length === 1;
    plan.provides ??= plan.hooks.some((hook) => hook.direction === 'provide');
    users[slot] = { plan, functions, self: plan.needsSelf ? instance : undefined, types, vu, iteration: 0, context: null, sequences: null };
    shared.phase = 'run';
  }

  function remove(slot) {
    abandon(slot);
    users[slot] = undefined;
  }

  // A new iteration: a fresh copy of the workflow's context with this iteration's rows. False when a file that deals
  // each row once has none left.
  function iterate(slot, iteration, row) {
    const user = (current = users[slot]);
    const { plan } = user;
    shared.phase = 'run';
    user.iteration = iteration;
    const context = new IterationContext();
    if (plan.context !== undefined) Object.assign(context, plan.context);
    for (const file of plan.files ?? []) {
      if (file.deal === 'once' && row >= file.rows.length) return false;
      context[file.name] = file.rows[file.deal === 'random' ? native.randomBelow(file.rows.length) : row % file.rows.length];
    }
    if (plan.provides) user.last = user.context;
    user.context = context;
    if (user.answers !== undefined) user.answers = [];
    return true;
  }

  // `iteration` is -1 inside an iteration.
  function begin(slot, turn, index, iteration, row) {
    if (iteration >= 0) iterate(slot, iteration, row);
    const user = (current = users[slot]);
    shared.phase = 'run';
    watch.n = COUNTS_BEFORE_WATCH;
    const hook = user.plan.hooks[index];
    let value;
    try {
      let values = user.context;
      // A provider sees the last result of each step, also when the last iteration was cut short.
      if (hook.kind === 'state') values = { __proto__: base, ...user.last, ...values };
      if (hook.prepared !== null) values = { __proto__: base, ...values, ...hook.prepared };
      value = user.functions[index].call(user.self, values);
      if (value === latestPromise && value !== null) {
        latestPromise = null;
        const wait = waitOf(value);
        wait.turn = turn;
        wait.index = index;
        if (wait.seen || !user.plan.alone || hook.declared !== 'protocol' || wait.raw !== hook.raw) return -1;
        pending.delete(wait.call);
        return wait.call;
      }
      if (typeof value === 'object' && value !== null && typeof value.then === 'function') {
        then.call(resolved(value), (result) => finish(user, turn, hook, index, result), (error) => native.failed(turn, error));
        return;
      }
    } catch (error) {
      native.failed(turn, error);
      return;
    }
    finish(user, turn, hook, index, value);
  }

  const RESPONSE = 1, CUSTOM = 2, PLAIN = 3, TEXT = 4, FLAG = 5, NUMBER = 6;

  function finish(user, turn, hook, index, value) {
    try {
      if (hook.kind === 'step') finishStep(user, turn, hook, index, value);
      else if (hook.kind === 'check') native.finished(turn, FLAG, Boolean(value));
      else if (hook.kind === 'metric') finishMetric(turn, hook, value);
      else native.finished(turn, TEXT, value === undefined ? null : jsonText(hook, value));
    } catch (error) {
      native.failed(turn, error);
    }
  }

  function finishStep(user, turn, hook, index, value) {
    if (hook.declared === 'protocol') {
      const call = hook.raw ? rawCallOf(value) : httpCallOf(value);
      if (call < 0 && callOf(value) >= 0)
        throw new TypeError(`step "${hook.name}" is declared as step(${hook.result}, ...), but it returned the response of another protocol`);
      if (call < 0) {
        const hint = Array.isArray(value) ? 'a list; return the one that is to be measured' : value === undefined ? 'nothing; is a return missing?' : shared.show(value);
        throw new TypeError(`step "${hook.name}" must return the response of a call, but it returned ${hint}`);
      }
      user.context[hook.name] = value;
      native.finished(turn, RESPONSE, call);
      return;
    }
    if (hook.declared === 'custom' && !(value instanceof user.types.get(user.functions[index])))
      throw new TypeError(`step "${hook.name}" must return a ${hook.result}, but it returned ${shared.show(value)}`);
    user.context[hook.name] = value;
    native.finished(turn, hook.declared === 'custom' ? CUSTOM : PLAIN, hook.declared !== 'custom' || value.ok !== false);
  }

  function finishMetric(turn, hook, value) {
    const number = typeof value === 'boolean' ? Number(value) : value;
    if (typeof number !== 'number' || Number.isNaN(number)) throw new TypeError(`metric "${hook.name}" must return a number, but it returned ${shared.show(value)}`);
    native.finished(turn, NUMBER, number);
  }

  function jsonText(hook, value) {
    const text = JSON.stringify(value);
    if (text === undefined) throw new TypeError(`"${hook.name}" must give a value that can be sent to other machines, not ${shared.show(value)}`);
    return text;
  }

  // An iteration with very many calls: the answers that the function has let go of are freed, as they are found
  // collected. Below so many it is not worth the look.
  const ANSWERS_BEFORE_LOOK = 4096;
  function keepTrack(user, call, response) {
    const answers = (user.answers ??= []);
    user.lookAt ??= ANSWERS_BEFORE_LOOK;
    if (answers.push({ call, response: new WeakRef(response) }) < user.lookAt) return;
    const gone = [];
    user.answers = [];
    for (const answer of answers) {
      if (answer.response.deref() === undefined) gone.push(answer.call);
      else user.answers.push(answer);
    }
    user.lookAt = Math.max(ANSWERS_BEFORE_LOOK, 2 * user.answers.length);
    if (gone.length > 0) native.forget(gone);
  }

  // `many`: the iteration has made so many calls that their answers are kept track of.
  function settle(call, status, duration, error, many) {
    const waiting = pending.get(call);
    if (waiting === undefined) return;
    pending.delete(call);
    current = waiting.user;
    shared.phase = 'run';
    watch.n = COUNTS_BEFORE_WATCH;
    if (call === latestCall) latestPromise = null;
    const response = responseOf(waiting.raw, call, status, duration, error);
    if (many) keepTrack(current, call, response);
    waiting.resolve(response);
    if (waiting.turn >= 0) finish(current, waiting.turn, current.plan.hooks[waiting.index], waiting.index, response);
  }

  // The result of a step that the host ran itself.
  function store(slot, index, call, status, duration, iteration, row) {
    if (iteration >= 0) iterate(slot, iteration, row);
    const user = users[slot];
    const hook = user.plan.hooks[index];
    user.context[hook.name] = responseOf(hook.raw, call, status, duration, null);
  }

  // Forgets what a user waits for.
  function abandon(slot) {
    const user = users[slot];
    for (const [call, waiting] of pending) if (waiting.user === user) pending.delete(call);
    for (const [timer, waiting] of timers) if (waiting.user === user) timers.delete(timer);
  }

  // --- context of the workflow -------------------------------------------------------------------------------------------

  // Values as JSON by source workflow; `''` is the workflow's own, from its setup.
  function provide(workflow, source, key, json) {
    const plan = plans().get(workflow);
    const value = deepFreeze(JSON.parse(json));
    if (source === '') {
      plan.context = freeze({ ...plan.context, ...(typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { [key]: value }) });
      return;
    }
    plan.context = freeze({ ...plan.context, [key]: value });
    plan.sources ??= new Map();
    plan.sources.set(source, { ...plan.sources.get(source), [key]: value });
  }
  shared.provided = (sources) => Object.assign({}, ...sources.map((source) => current.plan.sources?.get(source)));

  function addRows(workflow, name, format, deal, delimiter, text) {
    const rows = format === 'csv' ? shared.parseCsv(text, delimiter)
      : text.split('\n').flatMap((line, i) => {
        if (line.trim() === '') return [];
        try {
          return [JSON.parse(line)];
        } catch (error) {
          throw new Error(`line ${i + 1} is not JSON: ${error.message}`);
        }
      });
    if (rows.length === 0) throw new Error('the file has no rows');
    (plans().get(workflow).files ??= []).push({ name, deal, rows: deepFreeze(rows) });
    return rows.length;
  }

  // --- time and chance ---------------------------------------------------------------------------------------------------

  function arm(what, run, delay, repeat) {
    if (typeof run !== 'function') throw new TypeError(`${what}() takes a function, not ${shared.show(run)}`);
    if (shared.phase !== 'run') throw new Error(`${what}() can only be called while a step or another hook runs`);
    const timer = native.arm(delay);
    timers.set(timer, { user: current, run, repeat: repeat ? delay : -1 });
    return timer;
  }
  const delayOf = (value) => Math.max(0, Number(value) || 0);
  const setTimeout = (run, delay, ...args) => arm('setTimeout', typeof run === 'function' && args.length > 0 ? () => run(...args) : run, delayOf(delay), false);
  const setInterval = (run, delay, ...args) => arm('setInterval', typeof run === 'function' && args.length > 0 ? () => run(...args) : run, Math.max(1, delayOf(delay)), true);
  const clearTimeout = (timer) => {
    if (timers.get(timer)?.user === current && timers.delete(timer)) native.disarm(timer);
  };

  function fire(timer) {
    const waiting = timers.get(timer);
    if (waiting === undefined) return;
    timers.delete(timer);
    current = waiting.user;
    shared.phase = 'run';
    watch.n = COUNTS_BEFORE_WATCH;
    if (waiting.repeat >= 0) {
      native.arm(waiting.repeat, timer);
      timers.set(timer, waiting);
    }
    waiting.run();
  }

  // A number would be seconds for some tools and milliseconds for others.
  function sleep(duration) {
    if (typeof duration === 'number') throw new TypeError(`sleep(${duration}) has no unit: write sleep('${shared.seconds(duration)}') for seconds or sleep('${Math.round(duration)}ms') for milliseconds`);
    const delay = shared.milliseconds(duration);
    if (delay === null) throw new TypeError(`sleep() takes a duration such as "1s" or "250ms", not ${shared.show(duration)}`);
    return new Promise((resolve) => arm('sleep', resolve, delay, false));
  }

  const random = Object.assign(() => native.random(), {
    int(low, high) {
      if (!Number.isSafeInteger(low) || !Number.isSafeInteger(high) || low > high) throw new TypeError('random.int(low, high) takes two whole numbers, the lower one first');
      return low + native.randomBelow(high - low + 1);
    },
    pick(list) {
      if (!Array.isArray(list) || list.length === 0) throw new TypeError(`random.pick() takes a list with something in it, not ${shared.show(list)}`);
      return list[native.randomBelow(list.length)];
    },
    shuffle(list) {
      const shuffled = [...list];
      for (let i = shuffled.length - 1; i > 0; i--) {
        const j = native.randomBelow(i + 1);
        [shuffled[i], shuffled[j]] = [shuffled[j], shuffled[i]];
      }
      return shuffled;
    },
    text(length, alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789') {
      let text = '';
      for (let i = 0; i < length; i++) text += alphabet[native.randomBelow(alphabet.length)];
      return text;
    },
  });

  // Whole numbers from 0 that no other user of the run gets.
  function sequence(name = '') {
    if (shared.phase !== 'run') throw new Error('sequence() can only be called while a step or another hook runs');
    const sequences = (current.sequences ??= {});
    return native.sequence((sequences[name] = (sequences[name] ?? -1) + 1));
  }

  class Failure extends Error {
    get name() {
      return 'Failed';
    }
  }
  function fail(reason = 'no reason given') {
    throw new Failure(String(reason));
  }

  Object.assign(globalThis, { setTimeout, setInterval, clearTimeout, clearInterval: clearTimeout, sleep });
  Math.random = () => native.random();

  Object.assign(shared.api, { fail, group, random, sequence, sleep, multipart: shared.multipart, crypto: globalThis.crypto });
  shared.entries = { addModule, create, remove, iterate, begin, settle, store, abandon, fire, provide, addRows, describe: shared.describe };
  shared.roots = [shared.api, ...shared.webClasses, client, base, Response, RawResponse, Context, Failure, ...shared.classes, tick];
});
