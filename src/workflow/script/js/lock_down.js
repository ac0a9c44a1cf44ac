// Freezes everything reachable from the global object. An assignment to an own property must go on working when its
// name is also inherited (obj.toString = ...): the language refuses it once the inherited one is read-only, so the usual
// suspects become accessors that define an own property on whoever is assigned to.
(function (roots) {
  'use strict';
  const { freeze, defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Object;
  const { ownKeys } = Reflect;

  // What could run code behind the linker's back, hold memory outside the heap limit, or show when memory is collected.
  for (const name of ['WebAssembly', 'SharedArrayBuffer', 'Atomics', 'FinalizationRegistry', 'WeakRef', 'eval'])
    delete globalThis[name];

  function tolerate(prototype, names) {
    for (const name of names) {
      const old = getOwnPropertyDescriptor(prototype, name);
      if (!old || !('value' in old) || !old.configurable) continue;
      const { value } = old;
      const accessors = {
        get() {
          return value;
        },
        set(assigned) {
          if (this === prototype) throw new TypeError(`"${String(name)}" is shared by all virtual users and cannot be changed`);
          defineProperty(this, name, { value: assigned, writable: true, enumerable: true, configurable: true });
        },
      };
      defineProperty(prototype, name, { get: accessors.get, set: accessors.set, enumerable: old.enumerable, configurable: false });
    }
  }

  tolerate(Object.prototype, ownKeys(Object.prototype).filter((name) => name !== '__proto__'));
  tolerate(Function.prototype, ['constructor', 'toString', 'bind', 'name', 'length']);
  tolerate(Array.prototype, ['constructor', 'toString', 'toLocaleString', 'concat', 'join', 'keys', 'values', 'at', 'with']);
  tolerate(Promise.prototype, ['constructor']);
  tolerate(Date.prototype, ['constructor', 'toString', 'toJSON', 'valueOf']);
  tolerate(getPrototypeOf(Uint8Array.prototype), ['constructor', 'toString', 'set', 'keys', 'values']);
  for (const name of ['Error', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError', 'AggregateError'])
    tolerate(globalThis[name].prototype, ['constructor', 'name', 'message', 'toString']);
  const iterator = getPrototypeOf(getPrototypeOf([][Symbol.iterator]()));
  tolerate(iterator, ['constructor', 'map', 'filter', Symbol.iterator, Symbol.toStringTag]);

  // Reachable by syntax only.
  const hidden = [
    async function () {}, function* () {}, async function* () {}, () => {},
    [][Symbol.iterator](), new Map()[Symbol.iterator](), new Set()[Symbol.iterator](), ''[Symbol.iterator](),
    'x'.matchAll(/x/g), (function* () {})(), (async function* () {})(),
    // The only way to the wrapper and helper prototypes of iterators.
    ...(typeof Iterator === 'function' ? [Iterator.from({ next() {} }), [].values().map((x) => x)] : []),
  ];

  const seen = new Set();
  const pending = [globalThis, roots, ...hidden];
  while (pending.length > 0) {
    const value = pending.pop();
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) continue;
    seen.add(value);
    freeze(value);
    pending.push(getPrototypeOf(value));
    for (const key of ownKeys(value)) {
      const property = getOwnPropertyDescriptor(value, key);
      if ('value' in property) pending.push(property.value);
      else pending.push(property.get, property.set);
    }
  }
  return seen.size;
});
