import { expect, test } from 'vitest';
import { createTestApp } from '../test/test-app.ts';
import { appState } from './app-state.ts';
import type { Context } from './context.ts';

test('a feature keeps one state per app for all contexts, and it holds no request', async () => {
  const makers: Context[] = [];
  const numbers = appState((system) => {
    makers.push(system);
    return new Map<string, number>();
  });
  const others = appState(() => new Map<string, number>());
  const [one, two] = [await createTestApp(), await createTestApp()];
  const ctx = one.app.system();
  await ctx.write(async (write) => {
    const theirs = ctx.within(write).as({ kind: 'user', userId: crypto.randomUUID(), isAdmin: false });
    numbers(theirs).set('seen', 1);
  });
  expect(numbers(one.app.system()).get('seen')).toBe(1);
  expect(others(ctx).size).toBe(0);
  expect(numbers(two.app.system()).size).toBe(0);
  expect(makers.map(({ actor, db }) => [actor.kind, db])).toEqual([
    ['system', one.database.db],
    ['system', two.database.db],
  ]);
});
