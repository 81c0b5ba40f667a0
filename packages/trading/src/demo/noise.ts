/** Randomness by position instead of by sequence: any minute of any year is made without those before it. */

/** 32 well mixed bits of three integers. */
export function mix(seed: number, stream: number, index: number): number {
  let h =
    Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^
    Math.imul(stream + 0x165667b1, 0xc2b2ae35) ^
    Math.imul(index, 0x27d4eb2f);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
  return (h ^ (h >>> 16)) >>> 0;
}

/** From 0 to below 1. */
export const uniform = (seed: number, stream: number, index: number): number =>
  mix(seed, stream, index) / 4_294_967_296;

/** Nearly normal, variance one: three uniforms of ten bits. */
export function normal(seed: number, stream: number, index: number): number {
  const bits = mix(seed, stream, index);
  return ((bits & 1023) + ((bits >>> 10) & 1023) + ((bits >>> 20) & 1023)) / 512 - 2.997;
}

/** A line from one random value to the next, each `length` long, added to `into` for the minutes that begin at `from`. */
export function addNoise(
  into: Float64Array,
  from: number,
  seed: number,
  stream: number,
  length: number,
  amplitude: number,
): void {
  let cell = Math.floor(from / length);
  let within = from - cell * length;
  let left = normal(seed, stream, cell) * amplitude;
  // Of a power of two it is exact, and multiplying comes to the same bits.
  const share = 1 / length;
  const isExact = Number.isInteger(Math.log2(length));
  for (let index = 0; index < into.length; within = 0) {
    cell++;
    const right = normal(seed, stream, cell) * amplitude;
    const rise = right - left;
    const end = Math.min(index + length - within, into.length);
    if (isExact) {
      for (; index < end; index++, within++) into[index] = (into[index] as number) + left + rise * within * share;
    } else {
      for (; index < end; index++, within++) into[index] = (into[index] as number) + left + (rise * within) / length;
    }
    left = right;
  }
}
