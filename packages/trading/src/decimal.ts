import Big from 'big.js';

/**
 * Amounts and prices are decimal strings wherever they are stored or sent, and exact in between. Divisions keep 18 digits
 * and cut the rest: what a share of something comes to is never rounded up.
 */
export const Decimal = Big();
Decimal.DP = 18;
Decimal.RM = Decimal.roundDown;
Decimal.NE = -30;
Decimal.PE = 40;
Decimal.strict = false;

export type DecimalValue = InstanceType<typeof Decimal>;
export type DecimalInput = DecimalValue | string | number;

export const decimal = (value: DecimalInput): DecimalValue => new Decimal(value);
export const zero = decimal(0);

/** The largest multiple of the step that is not above the value. */
export const floorToStep = (value: DecimalInput, step: DecimalInput): DecimalValue => {
  const exact = decimal(step);
  return decimal(value).div(exact).round(0, Decimal.roundDown).times(exact);
};
export const isMultiple = (value: DecimalInput, step: DecimalInput): boolean => decimal(value).mod(step).eq(0);

/** How many digits after the point a step has: 0.001 has three. */
export const digitsOf = (step: string): number => {
  const plain = decimal(step).toFixed();
  return plain.includes('.') ? plain.length - plain.indexOf('.') - 1 : 0;
};

export const least = (a: DecimalValue, b: DecimalValue): DecimalValue => (a.lt(b) ? a : b);
export const sum = (values: Iterable<DecimalInput>): DecimalValue => {
  let total = zero;
  for (const value of values) total = total.plus(value);
  return total;
};
