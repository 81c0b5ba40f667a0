/** One line of a benchmark: what was measured, beside what, and whether it holds. */
export interface Result {
  name: string;
  value: number;
  unit: string;
  /** What it was measured beside in the same run, if there is a peer. */
  peer?: { name: string; value: number };
  limit: { of: 'value' | 'ratio'; max: number };
}

export const ratioOf = (result: Result) => (result.peer ? result.value / result.peer.value : null);

export function holds(result: Result): boolean {
  const measured = result.limit.of === 'ratio' ? ratioOf(result) : result.value;
  return measured !== null && measured <= result.limit.max;
}

export function line(result: Result): string {
  const ratio = ratioOf(result);
  const number = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(2));
  const beside =
    result.peer && ratio !== null
      ? `, ${ratio.toFixed(2)} × ${result.peer.name} (${number(result.peer.value)} ${result.unit})`
      : '';
  const limit = result.limit.of === 'ratio' ? `${result.limit.max} ×` : `${result.limit.max} ${result.unit}`;
  return `${holds(result) ? '✓' : '✗'} ${result.name}: ${number(result.value)} ${result.unit}${beside}, limit ${limit}`;
}

export const percentile = (values: number[], part: number) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN;
export const median = (values: number[]) => percentile(values, 0.5);
export const p95 = (values: number[]) => percentile(values, 0.95);
