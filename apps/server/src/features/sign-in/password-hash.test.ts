import { expect, test } from 'vitest';
import { createTestApp } from '../../test/test-app.ts';
import { hashQueueOf } from './service/password-hash.ts';

test('a flood of sign-ins is refused beyond a short queue, and known devices do not wait for it', async () => {
  const app = await createTestApp();
  const queue = hashQueueOf(app.app.system());
  const gate = Promise.withResolvers<void>();
  const done: string[] = [];
  const work = (name: string, isKnown: boolean) =>
    queue.run(isKnown, async () => {
      await gate.promise;
      done.push(name);
    });
  const flood = Array.from({ length: 1_000 }, () => work('flood', false).catch(({ code }: { code: string }) => code));
  const known = work('known', true);
  const refused = await Promise.all(flood.slice(100));
  expect(new Set(refused)).toEqual(new Set(['too_many_requests']));
  gate.resolve();
  await known;
  expect(done.filter((name) => name === 'flood').length).toBeLessThanOrEqual(2);
  await Promise.all(flood);
  expect(done.length).toBeLessThan(60);
});
