import { registerHooks } from 'node:module';

/** Refuses all modules from now on, even to code that finds an import function, because some modules can write files. */
export function refuseModules(): void {
  registerHooks({
    resolve() {
      throw new Error('No more modules');
    },
  });
}

/** Pyodide assigns these to its own objects, which a frozen property of the same name on a prototype would refuse. */
const assignedBelow = new Set(['constructor', 'toString', 'name', 'message', 'valueOf']);
/** Pyodide assigns it on `Error` itself. */
const stillWritable = 'stackTraceLimit';

/**
 * Python reaches every built-in object of JavaScript from any value. If it could change one, our own code and Pyodide's
 * would pass their values to it at the next use.
 */
export function freezeLanguage(names: Iterable<string>): void {
  // With it, the stack of an error exposes functions and their receivers.
  Object.defineProperty(Error, 'prepareStackTrace', { value: undefined });
  const hidden = [
    (async () => {}).constructor,
    function* () {}.constructor,
    async function* () {}.constructor,
    [][Symbol.iterator](),
    ''[Symbol.iterator](),
    new Map()[Symbol.iterator](),
    new Set()[Symbol.iterator](),
    ''.matchAll(/x/g),
  ];
  const global = globalThis as Record<string, unknown>;
  const open: unknown[] = [...[...names].map((name) => global[name]), ...hidden];
  const seen = new Set<unknown>([globalThis]);
  for (let value = open.pop(); open.length > 0 || value; value = open.pop()) {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) continue;
    seen.add(value);
    open.push(Object.getPrototypeOf(value));
    for (const key of Reflect.ownKeys(value)) {
      const property = Object.getOwnPropertyDescriptor(value, key);
      open.push(property?.value, property?.get, property?.set);
      if (property && typeof key === 'string') freezeProperty(value, key, property);
    }
    Object.preventExtensions(value);
  }
}

function freezeProperty(owner: object, key: string, property: PropertyDescriptor): void {
  if (!property.configurable || key === stillWritable) return;
  const isPrototype = typeof owner !== 'function' || owner === Function.prototype;
  if (!('value' in property)) Object.defineProperty(owner, key, { configurable: false });
  else if (!isPrototype || !assignedBelow.has(key))
    Object.defineProperty(owner, key, { writable: false, configurable: false });
  else {
    const { value } = property;
    Object.defineProperty(owner, key, {
      get: () => value,
      set(this: object, changed: unknown) {
        if (this === owner) throw new TypeError(`${key} cannot be changed`);
        Object.defineProperty(this, key, { value: changed, writable: true, enumerable: true, configurable: true });
      },
      enumerable: property.enumerable ?? false,
      configurable: false,
    });
  }
}
