import { expect, test } from 'vitest';
import { turnstile } from './turnstile.ts';

test('runs so many at once and the others in order, also after a failure', async () => {
  const through = turnstile(2);
  const log: string[] = [];
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const all = gates.map((gate, number) =>
    through(async () => {
      log.push(`in ${number}`);
      await gate.promise;
    }).catch(() => log.push(`failed ${number}`)),
  );
  await Promise.resolve();
  expect(log).toEqual(['in 0', 'in 1']);
  gates[1]?.reject(new Error('no'));
  await all[1];
  expect(log.slice(2).sort()).toEqual(['failed 1', 'in 2']);
  for (const gate of gates) gate.resolve();
  await Promise.all(all);
  expect(log.at(-1)).toBe('in 3');
});
