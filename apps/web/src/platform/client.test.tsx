import { afterEach, expect, test, vi } from 'vitest';
import { client } from './client.ts';
import { isExpired, setExpired } from './expiry.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  setExpired(false);
});

const refused = () => Response.json({ message: 'Unauthorized', status: 401, code: 'unauthorized' }, { status: 401 });

test('reports an expired session for a refused call, unless another session has begun meanwhile', async () => {
  const answer = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', () => answer.promise);
  const call = client.projects.list({});
  setExpired(false);
  answer.resolve(refused());
  await expect(call).rejects.toMatchObject({ status: 401 });
  expect(isExpired()).toBe(false);
  vi.stubGlobal('fetch', async () => refused());
  await expect(client.projects.list({})).rejects.toMatchObject({ status: 401 });
  expect(isExpired()).toBe(true);
});
