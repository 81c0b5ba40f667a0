import { describe, expect, it } from 'vitest';
import { Backpressure } from './backpressure.ts';

const megabyte = 1024 ** 2;

describe('the pace at which a flood is taken in', () => {
  it('is without rests and in large portions until it is a flood', async () => {
    const pace = new Backpressure(() => false);
    const large = pace.portion;
    await pace.stored(megabyte, 60_000);
    expect(pace.portion).toBe(large);
    const resting = pace.stored(1, 60_000);
    expect(pace.portion).toBeLessThan(large);
    pace.wake();
    await resting;
  });

  it('has no rests for who was told to end, or when its end has come', async () => {
    const pace = new Backpressure(() => false);
    const resting = pace.stored(2 * megabyte, 60_000);
    pace.hurry();
    await resting;
    await pace.stored(2 * megabyte, 60_000);

    const awaited = new Backpressure(() => true);
    const { portion } = awaited;
    await awaited.stored(2 * megabyte, 60_000);
    expect(awaited.portion).toBe(portion);
  });

  it('begins anew when everything is stored', async () => {
    const pace = new Backpressure(() => false);
    const { portion } = pace;
    const resting = pace.stored(2 * megabyte, 60_000);
    pace.wake();
    await resting;
    pace.caughtUp();
    expect(pace.portion).toBe(portion);
  });
});
