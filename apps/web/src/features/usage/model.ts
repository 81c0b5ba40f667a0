export const ranges = [7, 30, 90] as const;
export type Range = (typeof ranges)[number];
export const defaultRange: Range = 30;

export interface UsageSearch {
  days?: Range;
  type?: 'execution';
  page?: number;
}

export function parseUsageSearch({ days, type, page }: Record<string, unknown>): UsageSearch {
  return {
    ...(ranges.includes(days as Range) && days !== defaultRange ? { days: days as Range } : {}),
    ...(type === 'execution' ? { type } : {}),
    ...(Number.isInteger(page) && Number(page) > 1 && Number(page) <= 1_000_000 ? { page: Number(page) } : {}),
  };
}

/** Bars from the bottom, so that the largest fills the height; what is little can still be seen. */
export function barsOf(values: number[], height: number): number[] {
  const top = Math.max(...values, 0);
  return values.map((value) => (value === 0 ? 0 : Math.max((value / top) * height, 2)));
}
