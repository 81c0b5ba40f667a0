import { stripTypeScriptTypes } from 'node:module';
import vm from 'node:vm';
import type { StrategyDefinition } from '../engine/strategy.ts';
import type { StrategyProblem } from '../job.ts';
import { declarationProblems, type ParameterValues } from './parameters.ts';
import { engineSource, makeRealm, type Realm } from './realm.ts';

/** What is wrong with a strategy's code, its settings or its data. */
export class StrategyError extends Error {
  override name = 'StrategyError';
  readonly problem: StrategyProblem;
  /** Not said by the strategy: its process was ended, or did. */
  readonly isEnded: boolean;
  constructor(problem: StrategyProblem, isEnded = false) {
    super(problem.message);
    this.problem = problem;
    this.isEnded = isEnded;
  }
}

/** A strategy that is evaluated in this process, which therefore judges nothing. */
export interface LoadedStrategy {
  definition: StrategyDefinition;
  realm: Omit<Realm, 'context'>;
  /** Evaluates the code anew: what it keeps outside of `start` is of one run only. */
  fresh(): StrategyDefinition;
  /** Runs what calls the strategy; ends it when the time is over. */
  guard<Result>(work: () => Result, timeLimitMs: number): Result;
}

const fileName = 'strategy.ts';
const longestCode = 200_000;
const loadingMs = 2_000;
const warmUpMs = 1_000;

/** By its shape: errors of another world are of another class. */
const isThrown = (error: unknown): error is { message: unknown; stack: unknown } =>
  typeof error === 'object' && error !== null && 'message' in error && 'stack' in error;

/** The line of the strategy at which something was thrown. */
export function lineOf(error: unknown): number | null {
  const stack = isThrown(error) ? String(error.stack) : '';
  const found = new RegExp(`${fileName}:(\\d+)`).exec(stack);
  return found ? Number(found[1]) : null;
}
/** Where code cannot be read: the parser shows the line in the stack, and below it marks the place. */
function syntaxProblem(error: unknown): StrategyError {
  const stack = isThrown(error) ? String(error.stack) : '';
  const found = /^[^\n]*:(\d+)\n(?:[^\n]*\n){1,5}?([ \t]*)\^/.exec(stack);
  const place = found ? { line: Number(found[1]), column: (found[2] as string).length + 1 } : { line: lineOf(error) };
  return new StrategyError({ code: 'code', message: messageOf(error), at: null, ...place });
}
export const messageOf = (error: unknown): string => {
  const message = isThrown(error) ? String(error.message) : String(error);
  return message.slice(0, 1_000) || 'The strategy threw an error without a message';
};

/** A strategy as a script whose value is a function that makes it; or why there is none. */
export function scriptOf(code: string): string {
  const fail = (message: string, line: number | null = null): never => {
    throw new StrategyError({ code: 'code', message, at: null, line });
  };
  if (code.length > longestCode) fail(`The code is longer than ${longestCode} characters`);
  let plain = '';
  try {
    plain = stripTypeScriptTypes(code, { mode: 'strip' });
  } catch (error) {
    throw syntaxProblem(error);
  }
  // Editors want the import; here the names are there already.
  plain = plain.replace(/^[ \t]*import\b[^;'"]*['"]@atoll\/strategy['"];?/gm, '');
  const imports = /\bimport\s*(?:\(|\/[*/])/;
  if (/^[ \t]*import\b/m.test(plain) || imports.test(plain)) fail('Strategies import nothing');
  // At the beginning of a statement.
  const parts = plain.split(/(?<=^|[;}])[ \t]*\bexport\s+default\s+/m);
  if (parts.length !== 2) fail('A strategy is one file with export default strategy({ … })');
  if (parts.some((part) => /^[ \t]*export\b/m.test(part))) fail('Only the strategy is exported');
  return `(() => { 'use strict'; let exported;\n${parts.join('exported = ')}\nreturn exported; })`;
}

/** Evaluates a strategy where there is nothing but the language and the API. The process around it sets limits to memory. */
export function loadScript(script: string, engine: string, limitMs = loadingMs): LoadedStrategy {
  let loaded = recent.get(script);
  if (!loaded) {
    loaded = evaluate(script, engine, limitMs);
    if (recent.size >= mostRecent) recent.delete(recent.keys().next().value ?? '');
    recent.set(script, loaded);
  }
  return loaded;
}
export const loadStrategy = (code: string): LoadedStrategy => loadScript(scriptOf(code), engineSource());
/** Nothing of a run stays in a strategy's world but what the compiler learned. */
const recent = new Map<string, LoadedStrategy>();
const mostRecent = 8;

function evaluate(script: string, engine: string, limitMs: number): LoadedStrategy {
  const fail = (message: string, line: number | null = null): never => {
    throw new StrategyError({ code: 'code', message, at: null, line });
  };
  const realm = makeRealm(engine);
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
  let parsed: vm.Script;
  try {
    parsed = new vm.Script(script, { filename: fileName, lineOffset: -1 });
  } catch (error) {
    throw syntaxProblem(error);
  }
  try {
    fresh = parsed.runInContext(context);
    const definition = guard(fresh, limitMs);
    if (typeof definition?.start !== 'function') fail('strategy({ … }) needs start(context, parameters)');
    const problems = declarationProblems(definition.parameters ?? {});
    if (problems.length > 0) fail(problems.join('. '));
    return { definition, realm, fresh, guard };
  } catch (error) {
    if (error instanceof StrategyError) throw error;
    return fail(messageOf(error), lineOf(error));
  }
}

/** What a strategy says of itself, as data. */
export function describeLoaded({ definition }: LoadedStrategy): Record<string, unknown> {
  const { parameters, markets, timeframes, warmUp } = definition;
  const fixed = typeof warmUp === 'function' ? null : (warmUp ?? 0);
  const said = fixed === null && warmUp !== null ? null : Number.isFinite(fixed) ? fixed : String(fixed);
  return JSON.parse(JSON.stringify({ parameters: parameters ?? {}, markets, timeframes, warmUp: said }));
}

/** Bars before the first decision, where it depends on the parameters. */
export const warmUpFor = (
  { definition: { warmUp }, guard, realm }: LoadedStrategy,
  values: ParameterValues,
): unknown => (typeof warmUp === 'function' ? guard(() => warmUp(realm.copy(values)), warmUpMs) : warmUp);

const running = new vm.Script('(() => { const work = __work; __work = undefined; return work(); })()');
const isTimeout = (error: unknown) =>
  isThrown(error) && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
const timeLimit = (ms: number) =>
  new StrategyError({
    ...{ code: 'time_limit', message: `The strategy took longer than ${ms / 1000} seconds`, at: null, line: null },
  });
