import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { basename, join } from 'node:path';
import vm from 'node:vm';
import type { Columns } from '../engine/columns.ts';
import type { IndicatorCache, valuesOf } from '../engine/frame.ts';
import type { Recorder } from '../engine/recorder.ts';
import type { Simulation } from '../engine/simulation.ts';

/**
 * A world with the language, the engine and nothing else. The engine is evaluated in it, beside the strategy: calls between
 * worlds are never inlined, and what came from ours would lead back to it.
 */
export interface Realm {
  context: vm.Context;
  engine: {
    Simulation: typeof Simulation;
    IndicatorCache: typeof IndicatorCache;
    Recorder: typeof Recorder;
    valuesOf: typeof valuesOf;
  };
  /** The same memory, as columns of that world. */
  columnsOf(columns: Columns): Columns;
  /** Plain data, made anew in that world. */
  copy<Value>(value: Value): Value;
}

/** Each after those that it imports. */
const engine = [
  'columns',
  'indicators',
  'growing-columns',
  'frame',
  'order',
  'book',
  'table',
  'balances',
  'result-tables',
  'timeline',
];
const files = [
  ...['../../port.ts', '../../candles.ts'],
  ...[...engine, 'account', 'order-entry', 'matching', 'views', 'simulation', 'calls', 'recorder'].map(
    (name) => `../engine/${name}.ts`,
  ),
];

/** Modules as functions that answer what they export: there are no modules to load in that world. */
let source: string | null = null;
export function engineSource(): string {
  source ??= readEngine();
  return source;
}
function readEngine(): string {
  const modules = files.map((file) => {
    const plain = stripTypeScriptTypes(readFileSync(join(import.meta.dirname, file), 'utf8'), { mode: 'strip' });
    const names: string[] = [];
    const body = plain
      .replace(/^import\s+\*\s+as\s+(\w+)\s+from\s+'[^']*?([\w-]+\.ts)';/gm, "const $1 = modules['$2'];")
      .replace(/^import\s+\{([^}]*)\}\s+from\s+'[^']*?([\w-]+\.ts)';/gm, "const {$1} = modules['$2'];")
      .replace(/^export\s+(const|let|function|class)\s+(\w+)/gm, (_, kind: string, name: string) => {
        names.push(name);
        return `${kind} ${name}`;
      });
    if (/^(import|export)\b/m.test(body)) throw new Error(`${file} imports or exports in a way that is not linked`);
    return `modules['${basename(file)}'] = (() => {${body}\nreturn { ${names.join(', ')} };\n})();`;
  });
  return `'use strict';\nconst modules = {};\n${modules.join('\n')}\nObject.assign({}, ...Object.values(modules));`;
}

/** What a strategy must not have, for it would not do the same tomorrow; and nothing that the engine uses can be changed. */
const prelude = `'use strict';
(() => {
  const missing = (names, message) => {
    for (const name of names) {
      const get = () => { throw new Error(message); };
      Object.defineProperty(globalThis, name, { get, set: get, configurable: false });
    }
  };
  missing(['Date', 'performance', 'Temporal', 'Intl'], 'Strategies have no clock: use now or market.time()');
  missing(['process', 'require', 'module', 'WebAssembly', 'SharedArrayBuffer', 'Atomics', 'WeakRef', 'FinalizationRegistry'],
    'Strategies have nothing but their markets');
  missing(['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource'], 'Strategies have no network');
  missing(['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'], 'Strategies have no timers: use onBar');
  missing(['console'], 'Strategies have no console: use log()');
  missing(['crypto'], 'Strategies have no randomness of their own: use random()');
  missing(['eval'], 'Strategies cannot make code');
  missing(['Promise'], 'Strategies cannot wait: what they do is done within a bar');
  Math.random = () => { throw new Error('Strategies have no randomness of their own: use random()'); };
  globalThis.strategy = (definition) => definition;
  globalThis.integer = (options) => ({ kind: 'integer', ...options });
  globalThis.number = (options) => ({ kind: 'number', ...options });
  globalThis.boolean = (options) => ({ kind: 'boolean', ...options });
  globalThis.choice = (options) => ({ kind: 'choice', ...options });
})();`;
const freezing = `'use strict';
(engine) => {
  const seen = new Set();
  const freeze = (value) => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return;
    seen.add(value);
    for (const { value: part, get } of Object.values(Object.getOwnPropertyDescriptors(value))) {
      freeze(part);
      freeze(get);
    }
    freeze(Object.getPrototypeOf(value));
    Object.freeze(value);
  };
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    const { value } = Object.getOwnPropertyDescriptor(globalThis, name);
    if (value !== globalThis) freeze(value);
  }
  for (const each of [[][Symbol.iterator](), new Map().values(), new Set().values(), (function* () {})(), new Float64Array(0)]) {
    freeze(Object.getPrototypeOf(each));
  }
  freeze(async () => {});
  for (const each of Object.values(engine)) if (typeof each === 'function') freeze(each);
  globalThis.__work = undefined;
  Object.preventExtensions(globalThis);
}`;

let compiled: { engine: vm.Script; prelude: vm.Script; freezing: vm.Script } | null = null;

export function makeRealm(source: string): Realm {
  compiled ??= {
    engine: new vm.Script(source, { filename: 'engine.js' }),
    prelude: new vm.Script(prelude),
    freezing: new vm.Script(freezing),
  };
  // Not contextified: looking up a global would take longer than a whole bar.
  const context = vm.createContext(vm.constants.DONT_CONTEXTIFY, { codeGeneration: { strings: false, wasm: false } });
  compiled.prelude.runInContext(context);
  const engine = compiled.engine.runInContext(context) as Realm['engine'];
  (compiled.freezing.runInContext(context) as (engine: Realm['engine']) => void)(engine);
  const { Float64Array: Column, JSON: Json } = context as unknown as {
    Float64Array: Float64ArrayConstructor;
    JSON: JSON;
  };
  const view = (values: Float64Array) => new Column(values.buffer as ArrayBuffer, values.byteOffset, values.length);
  return {
    ...{ context, engine },
    columnsOf: ({ time, open, high, low, close, volume }) => ({
      ...{ time: view(time), open: view(open), high: view(high) },
      ...{ low: view(low), close: view(close), volume: view(volume) },
    }),
    copy: (value) => Json.parse(JSON.stringify(value)),
  };
}
