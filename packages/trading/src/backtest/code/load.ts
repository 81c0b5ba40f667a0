import { stripTypeScriptTypes } from 'node:module';
import vm from 'node:vm';
import type { Drive } from '../engine/simulation.ts';
import type { StrategyDefinition } from '../engine/strategy.ts';
import type { StrategyProblem } from '../job.ts';
import { declarationProblems } from './parameters.ts';
import { makeRealm, type Realm } from './realm.ts';

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
  realm: Omit<Realm, 'context'>;
  /** Evaluates the code anew: what it keeps outside of `start` is of one run only. */
  fresh(): StrategyDefinition;
  /** Where it is not evaluated here: one run of it. */
  drive?: Drive;
  /** Runs what calls the strategy; ends it when the time is over. */
  guard<Result>(work: () => Result, timeLimitMs: number): Result;
}

const fileName = 'strategy.ts';
const longestCode = 200_000;
const loadingMs = 2_000;

/** By its shape: errors of another world are of another class. */
const isThrown = (error: unknown): error is { message: unknown; stack: unknown } =>
  typeof error === 'object' && error !== null && 'message' in error && 'stack' in error;

/** The line of the strategy at which something was thrown. */
export function lineOf(error: unknown): number | null {
  const stack = isThrown(error) ? String(error.stack) : '';
  const found = new RegExp(`${fileName}:(\\d+)`).exec(stack);
  return found ? Number(found[1]) : null;
}
export const messageOf = (error: unknown): string => {
  const message = isThrown(error) ? String(error.message) : String(error);
  return message.slice(0, 1_000) || 'The strategy threw an error without a message';
};

/** Evaluates a strategy where there is nothing but the language and the API. The process around it sets limits to memory. */
export function loadStrategy(code: string): LoadedStrategy {
  let loaded = recent.get(code);
  if (!loaded) {
    loaded = evaluate(code);
    if (recent.size >= mostRecent) recent.delete(recent.keys().next().value ?? '');
    recent.set(code, loaded);
  }
  return loaded;
}
/** Nothing of a run stays in a strategy's world but what the compiler learned. */
const recent = new Map<string, LoadedStrategy>();
const mostRecent = 8;

function evaluate(code: string): LoadedStrategy {
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
  if (parts.some((part) => /^[ \t]*export\b/m.test(part))) fail('Only the strategy is exported');
  const realm = makeRealm();
  const { context } = realm;
  /** In the context without leaving a name in it: the strategy must not find what is ours. */
  const guard = <Result>(work: () => Result, timeLimitMs: number): Result => {
    context.__work = work;
    try {
      return running.runInContext(context, { timeout: Math.max(1, Math.ceil(timeLimitMs)) }) as Result;
    } catch (error) {
      throw isTimeout(error) ? timeLimit(timeLimitMs) : error;
    }
  };
  let fresh: () => StrategyDefinition = () => fail('Nothing is exported');
  try {
    const source = `(() => { 'use strict'; let exported;\n${parts.join('exported = ')}\nreturn exported; })`;
    fresh = new vm.Script(source, { filename: fileName, lineOffset: -1 }).runInContext(context);
    const definition = guard(fresh, loadingMs);
    if (typeof definition?.start !== 'function') fail('strategy({ … }) needs start(context, parameters)');
    const problems = declarationProblems(definition.parameters ?? {});
    if (problems.length > 0) fail(problems.join('. '));
    return { definition, realm, fresh, guard };
  } catch (error) {
    if (error instanceof StrategyError) throw error;
    return fail(messageOf(error), lineOf(error));
  }
}

const running = new vm.Script('(() => { const work = __work; __work = undefined; return work(); })()');
const isTimeout = (error: unknown) =>
  isThrown(error) && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
const timeLimit = (ms: number) =>
  new StrategyError({
    ...{ code: 'time_limit', message: `The strategy took longer than ${ms / 1000} seconds`, at: null, line: null },
  });
