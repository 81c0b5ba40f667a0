export interface Line {
  /** Of an SVG of this width and height. */
  points: string;
  /** The value at the top. */
  top: number;
}

/** Values as points from left to right; a flat line of nothing lies at the bottom. */
export function lineOf(values: readonly number[], width: number, height: number): Line {
  const top = Math.max(1, ...values);
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  const rounded = (value: number) => Math.round(value * 10) / 10;
  return {
    points: values
      .map((value, index) => `${rounded(index * step)},${rounded(height - (value / top) * height)}`)
      .join(' '),
    top,
  };
}
