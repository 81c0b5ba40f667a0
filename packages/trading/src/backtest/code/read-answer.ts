import { type Interval, intervalMs } from '../../port.ts';
import type { StrategyProblem } from '../job.ts';
import { StrategyError } from './load.ts';
import { declarationProblems, type Parameter, type Parameters } from './parameters.ts';

/** What a process in which people's code ran says of it: believed in its form only. */

const codes: StrategyProblem['code'][] = ['code', 'parameters', 'data', 'job', 'error', 'time_limit'];
const longestText = 1_000;
const mostParameters = 200;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const refuse = (message: string): never => {
  throw new StrategyError({ code: 'code', message, at: null, line: null });
};

const place = (value: unknown) => (typeof value === 'number' && Number.isInteger(value) ? value : null);
export function readProblem(given: unknown): StrategyProblem {
  const { code, message, line, column } = isRecord(given) ? given : {};
  return {
    code: codes.find((each) => each === code) ?? 'error',
    message: textOf(message, longestText) || 'It failed without a message',
    at: null,
    line: place(line),
    ...(place(column) === null ? {} : { column: place(column) }),
  };
}

export interface Declared {
  parameters: Parameters;
  markets: { min: number; max: number };
  timeframes: Interval[];
  /** Null where it depends on the parameters. */
  warmUp: number | null;
}

const texts = (value: unknown) => (typeof value === 'string' ? value.slice(0, longestText) : undefined);
/** An object is no text, and could throw where it is made one. */
export const textOf = (value: unknown, longest: number): string =>
  typeof value === 'string' ? value.slice(0, longest) : '';
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN);

function readParameter(name: string, given: unknown): Parameter {
  if (!isRecord(given)) return refuse(`${name}: use integer, number, boolean or choice`);
  const [label, help] = [texts(given.label), texts(given.help)];
  const said = { ...(label === undefined ? {} : { label }), ...(help === undefined ? {} : { help }) };
  const { kind, min, max, step, options } = given;
  if (kind === 'boolean') return { kind, default: given.default as boolean, ...said };
  if (kind === 'choice') {
    const listed = (Array.isArray(options) ? options.slice(0, 1_000) : []).map((each) => textOf(each, 200));
    return { kind, default: given.default as string, options: listed, ...said };
  }
  if (kind !== 'integer' && kind !== 'number') return refuse(`${name}: use integer, number, boolean or choice`);
  const numbers = { default: given.default as number, min: numberOf(min), max: numberOf(max) };
  return { kind, ...numbers, ...(typeof step === 'number' ? { step } : {}), ...said };
}

export function readDeclared(given: Record<string, unknown>): Declared {
  const parameters: Parameters = {};
  const entries = Object.entries(isRecord(given.parameters) ? given.parameters : {});
  if (entries.length > mostParameters) refuse(`These are more than ${mostParameters} parameters`);
  for (const [name, each] of entries) parameters[name.slice(0, 100)] = readParameter(name.slice(0, 100), each);
  const problems = declarationProblems(parameters);
  if (problems.length > 0) refuse(problems.join('. '));
  const { min, max } = isRecord(given.markets) ? given.markets : { min: 1, max: 1 };
  if (!Number.isInteger(min) || !Number.isInteger(max)) refuse('markets is how many it trades: { min: 1, max: 5 }');
  const timeframes = (Array.isArray(given.timeframes) ? given.timeframes : [])
    .slice(0, 100)
    .map((each) => textOf(each, 100));
  const unknown = timeframes.find((each) => !Object.hasOwn(intervalMs, each));
  if (unknown !== undefined) refuse(`There is no time frame ${unknown.slice(0, 20)}`);
  const { warmUp } = given;
  if (warmUp !== null && typeof warmUp !== 'number') refuse(`warmUp is ${textOf(warmUp, 100) || 'no number'}`);
  return {
    ...{ parameters, markets: { min: min as number, max: max as number } },
    ...{ timeframes: timeframes as Interval[], warmUp: warmUp as number | null },
  };
}
