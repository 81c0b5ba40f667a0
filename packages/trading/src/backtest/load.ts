import { stripTypeScriptTypes } from 'node:module';
import vm from 'node:vm';
import type { StrategyProblem } from './job.ts';
import { declarationProblems } from './parameters.ts';
import type { StrategyDefinition } from './strategy.ts';

/** What is wrong with a strategy's code, its settings or its data. */
export class StrategyError extends Error {
  override name = 'StrategyError';
  readonly problem: StrategyProblem;
  constructor(problem: StrategyProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

export interface LoadedStrategy {
  definition: StrategyDefinition;
  /** Runs what calls the strategy; ends it when the time is over. */
  guard<Result>(work: () => Result, timeLimitMs: number): Result;
}

const fileName = 'strategy.ts';
const longestCode = 200_000;
const loadingMs = 2_000;

/** The line of the strategy at which something was thrown. */
export function lineOf(error: unknown): number | null {
  const stack = error instanceof Object && 'stack' in error ? String(error.stack) : '';
  const found = new RegExp(`${fileName}:(\\d+)`).exec(stack);
  return found ? Number(found[1]) : null;
}
export const messageOf = (error: unknown): string => {
  const message = error instanceof Object && 'message' in error ? String(error.message) : String(error);
  return message.slice(0, 1_000) || 'The strategy threw an error without a message';
};

/** The API, made within the context, and what a strategy must not have: it would not do the same tomorrow. */
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
  Math.random = () => { throw new Error('Strategies have no randomness of their own: use random()'); };
  Object.freeze(Math);
  globalThis.strategy = (definition) => definition;
  globalThis.integer = (options) => ({ kind: 'integer', ...options });
  globalThis.number = (options) => ({ kind: 'number', ...options });
  globalThis.boolean = (options) => ({ kind: 'boolean', ...options });
  globalThis.choice = (options) => ({ kind: 'choice', ...options });
  globalThis.__strategy = undefined;
  globalThis.__work = undefined;
})();`;

/** Evaluates a strategy where there is nothing but the language and the API. The process around it sets limits to memory. */
export function loadStrategy(code: string): LoadedStrategy {
  const fail = (message: string, line: number | null = null): never => {
    throw new StrategyError({ code: 'code', message, at: null, line });
  };
  if (code.length > longestCode) fail(`The code is longer than ${longestCode} characters`);
  let plain = '';
  try {
    plain = stripTypeScriptTypes(code, { mode: 'strip' });
  } catch (error) {
    fail(messageOf(error), lineOf(error));
  }
  // Editors want the import; here the names are there already.
  plain = plain.replace(/^[ \t]*import\b[^;'"]*['"]@atoll\/strategy['"];?/gm, '');
  if (/^[ \t]*import\b/m.test(plain) || /\bimport\s*\(/.test(plain)) fail('Strategies import nothing');
  const parts = plain.split(/^[ \t]*export\s+default\s+/m);
  if (parts.length !== 2) fail('A strategy is one file with export default strategy({ … })');
  if (/^[ \t]*export\b/m.test(plain.replace(/^[ \t]*export\s+default\s+/m, ''))) fail('Only the strategy is exported');
  // Not contextified: looking up a global would take longer than a whole bar.
  const context = vm.createContext(vm.constants.DONT_CONTEXTIFY, { codeGeneration: { strings: false, wasm: false } });
  vm.runInContext(prelude, context);
  try {
    const source = `'use strict';\n${parts.join('__strategy = ')}`;
    new vm.Script(source, { filename: fileName, lineOffset: -1 }).runInContext(context, { timeout: loadingMs });
  } catch (error) {
    if (isTimeout(error)) throw timeLimit(loadingMs);
    fail(messageOf(error), lineOf(error));
  }
  const definition = context.__strategy as StrategyDefinition | undefined;
  if (typeof definition?.start !== 'function') fail('strategy({ … }) needs start(context, parameters)');
  const problems = declarationProblems(definition?.parameters ?? {});
  if (problems.length > 0) fail(problems.join('. '));
  return {
    definition: definition as StrategyDefinition,
    guard(work, timeLimitMs) {
      context.__work = work;
      try {
        return vm.runInContext('__work()', context, { timeout: Math.max(1, Math.ceil(timeLimitMs)) });
      } catch (error) {
        throw isTimeout(error) ? timeLimit(timeLimitMs) : error;
      } finally {
        context.__work = undefined;
      }
    },
  };
}

const isTimeout = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
const timeLimit = (ms: number) =>
  new StrategyError({
    ...{ code: 'time_limit', message: `The strategy took longer than ${ms / 1000} seconds`, at: null, line: null },
  });
