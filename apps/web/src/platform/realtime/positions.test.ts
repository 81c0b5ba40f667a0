import { describe, expect, it } from 'vitest';
import { createPositions } from './positions.ts';

const event = (position: number) => ({ position, event: 'changed', payload: { position } });
const joined = (position: number, missed: number[] = [], is_reset = false) => ({
  position,
  missed: missed.map(event),
  is_reset,
});

describe('the positions of a topic', () => {
  it('send nothing before the first join, and then the current position', () => {
    const positions = createPositions();
    expect(positions.params()).toEqual({});
    expect(positions.joined(joined(4))).toEqual({ missed: [], isGap: true });
    expect(positions.params()).toEqual({ last_seen: 4 });
  });

  it('accept each event once and no older one', () => {
    const positions = createPositions();
    positions.joined(joined(4));
    expect([5, 5, 4, 6, 3, 7].map((position) => positions.take(position))).toEqual([
      true,
      false,
      false,
      true,
      false,
      true,
    ]);
    expect(positions.params()).toEqual({ last_seen: 7 });
  });

  it('return missed events in order, without known ones', () => {
    const positions = createPositions();
    positions.joined(joined(4));
    positions.take(5);
    expect(positions.joined(joined(8, [5, 6, 7, 8]))).toEqual({ missed: [6, 7, 8].map(event), isGap: false });
    expect(positions.take(8)).toBe(false);
    expect(positions.take(9)).toBe(true);
  });

  it('continue from a position known from elsewhere', () => {
    const positions = createPositions(4);
    expect(positions.params()).toEqual({ last_seen: 4 });
    expect(positions.joined(joined(6, [5, 6]))).toEqual({ missed: [5, 6].map(event), isGap: false });
  });

  it('are reset where too much was missed, also when the server counts from the start again', () => {
    const positions = createPositions();
    positions.joined(joined(900));
    expect(positions.joined(joined(2, [], true))).toEqual({ missed: [], isGap: true });
    expect(positions.take(3)).toBe(true);
  });
});
