import { describe, expect, it } from 'vitest';
import { Backpressure } from './backpressure.ts';

const megabyte = 1024 ** 2;

describe('the backpressure on a flood of output', () => {
  it('has no rests and large portions until it is a flood', async () => {
    const backpressure = new Backpressure(() => false);
    const large = backpressure.portion;
    await backpressure.stored(megabyte, 60_000);
    expect(backpressure.portion).toBe(large);
    const resting = backpressure.stored(1, 60_000);
    expect(backpressure.portion).toBeLessThan(large);
    backpressure.wake();
    await resting;
  });

  it('has no rests after a request to hurry, or when the end has arrived', async () => {
    const backpressure = new Backpressure(() => false);
    const resting = backpressure.stored(2 * megabyte, 60_000);
    backpressure.hurry();
    await resting;
    await backpressure.stored(2 * megabyte, 60_000);

    const awaited = new Backpressure(() => true);
    const { portion } = awaited;
    await awaited.stored(2 * megabyte, 60_000);
    expect(awaited.portion).toBe(portion);
  });

  it('starts from zero when everything is stored', async () => {
    const backpressure = new Backpressure(() => false);
    const { portion } = backpressure;
    const resting = backpressure.stored(2 * megabyte, 60_000);
    backpressure.wake();
    await resting;
    backpressure.caughtUp();
    expect(backpressure.portion).toBe(portion);
  });
});
