/** What a strategy can be set to: each becomes a field of a form, a range of a sweep, and is checked before a run. */

interface Described {
  label?: string;
  help?: string;
}
interface NumberOptions extends Described {
  default: number;
  min: number;
  max: number;
  step?: number;
}

export type Parameter =
  | ({ kind: 'integer' } & NumberOptions)
  | ({ kind: 'number' } & NumberOptions)
  | ({ kind: 'boolean'; default: boolean } & Described)
  | ({ kind: 'choice'; default: string; options: readonly string[] } & Described);

export type ParameterValue = number | boolean | string;
export type ParameterValues = Record<string, ParameterValue>;
export type Parameters = Record<string, Parameter>;

export type ValueOf<P extends Parameter> = P extends { kind: 'integer' | 'number' }
  ? number
  : P extends { kind: 'boolean' }
    ? boolean
    : P extends { options: readonly (infer Option)[] }
      ? Option
      : never;
export type ValuesOf<P extends Parameters> = { readonly [Name in keyof P]: ValueOf<P[Name]> };

/** @public Called by strategies. */
export const integer = (options: NumberOptions) => ({ kind: 'integer' as const, ...options });
/** @public Called by strategies. */
export const number = (options: NumberOptions) => ({ kind: 'number' as const, ...options });
/** @public Called by strategies. */
export const boolean = (options: { default: boolean } & Described) => ({ kind: 'boolean' as const, ...options });
/** @public Called by strategies. */
export const choice = <const Option extends string>(
  options: { default: NoInfer<Option>; options: readonly Option[] } & Described,
) => ({ kind: 'choice' as const, ...options });

/** What the declaration itself gets wrong, in words. */
export function declarationProblems(parameters: Parameters): string[] {
  const problems: string[] = [];
  for (const [name, parameter] of Object.entries(parameters)) {
    if (!/^[a-zA-Z][a-zA-Z0-9_]{0,39}$/.test(name)) problems.push(`"${name}" is not a name of a parameter`);
    if (parameter.kind === 'integer' || parameter.kind === 'number') {
      if (!(parameter.min <= parameter.max)) problems.push(`${name}: min is above max`);
    } else if (parameter.kind === 'choice') {
      if (!Array.isArray(parameter.options) || parameter.options.length === 0) problems.push(`${name}: has no options`);
    } else if (parameter.kind !== 'boolean') {
      problems.push(`${name}: use integer, number, boolean or choice`);
      continue;
    }
    const problem = valueProblem(name, parameter, parameter.default);
    if (problem) problems.push(`Default of ${problem}`);
  }
  return problems;
}

function valueProblem(name: string, parameter: Parameter, value: unknown): string | null {
  if (parameter.kind === 'boolean') return typeof value === 'boolean' ? null : `${name} must be true or false`;
  if (parameter.kind === 'choice') {
    const isOption = parameter.options.includes(value as string);
    return isOption ? null : `${name} must be one of ${parameter.options.join(', ')}`;
  }
  if (typeof value !== 'number' || !Number.isFinite(value)) return `${name} must be a number`;
  if (parameter.kind === 'integer' && !Number.isInteger(value)) return `${name} must be a whole number`;
  if (value < parameter.min) return `${name} must be at least ${parameter.min}`;
  if (value > parameter.max) return `${name} must be at most ${parameter.max}`;
  return null;
}

export interface ParameterProblem {
  name: string;
  message: string;
}

/** The values of a run: those given, defaults for the rest. Nothing that is not declared is taken. */
export function parameterValues(
  parameters: Parameters,
  given: Readonly<Record<string, unknown>>,
): { values: ParameterValues; problems: ParameterProblem[] } {
  const values: ParameterValues = {};
  const problems: ParameterProblem[] = [];
  for (const [name, parameter] of Object.entries(parameters)) {
    const value = given[name] === undefined ? parameter.default : given[name];
    const message = valueProblem(name, parameter, value);
    if (message) problems.push({ name, message });
    else values[name] = value as ParameterValue;
  }
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(parameters, name)) problems.push({ name, message: `The strategy has no parameter ${name}` });
  }
  return { values, problems };
}
