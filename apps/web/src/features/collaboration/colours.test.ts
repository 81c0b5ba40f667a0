import { describe, expect, it } from 'vitest';
import { colourCount, colourOf } from './colours.ts';

const ids = Array.from({ length: 30 }, (_, index) => `person-${index}`);

describe('the colour of a person', () => {
  it('is the same on every visit', () => {
    for (const id of ids) expect(colourOf(id, new Map())).toBe(colourOf(id, new Map()));
  });

  it('belongs to no other person while there are enough colours, and stays', () => {
    const given = new Map<string, number>();
    for (const id of ids.slice(0, colourCount)) given.set(id, colourOf(id, given));
    expect(new Set(given.values()).size).toBe(colourCount);
    for (const [id, colour] of given) expect(colourOf(id, given)).toBe(colour);
    const more = colourOf('one more', given);
    expect(more).toBeGreaterThanOrEqual(0);
    expect(more).toBeLessThan(colourCount);
  });
});
