import { createApp } from '../apps/server/src/app.ts';
import { readConfig } from '../apps/server/src/config.ts';
import { openDatabase } from '../apps/server/src/platform/db/database.ts';
import { createLimits } from '../apps/server/src/platform/http/limits.ts';
import { createLog } from '../apps/server/src/platform/log.ts';
import type { createQueue } from './jobs-queue.ts';

/** The server with a queue of its own, in a process of its own: does as many jobs as it is told, and says how long it took. */
const [folder = '', queueModule = ''] = process.argv.slice(2);
const url = process.env.DATABASE_URL ?? null;
const config = readConfig({ ATOLL_DATA: folder, ATOLL_LOG_LEVEL: 'error', ATOLL_SECRET_KEYS: '0'.repeat(64) });
const database = await openDatabase({ url, dataFolder: folder });
const limits = createLimits(1e6);
const app = await createApp({ config, database, log: createLog(config.log), limits, webFolder: null });
await app.start();
// The one that is measured is alone, with one kind of jobs.
await app.jobs.stop();
const address = await app.http.listen({ port: 0, host: '127.0.0.1' });
const payload = { email: 'bench@example.org', password: 'a long enough password', user_name: 'bench' };
const signUp = await app.http.inject({ method: 'POST', url: '/api/atoll/v1/sign_up', payload });

let left = 0;
let finish = () => {};
const queueOf = (await import(queueModule)) as { createQueue: typeof createQueue };
const queue = await queueOf.createQueue({ app, database, url }, () => {
  if (--left === 0) finish();
});
/** Requests that enqueue come from several people at once. */
const enqueuers = 8;

process.on('message', async (count: number) => {
  const began = performance.now();
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  left = count;
  let unsent = count;
  await Promise.all(
    Array.from({ length: enqueuers }, async () => {
      while (unsent-- > 0) await queue.enqueue();
    }),
  );
  await done;
  process.send?.(performance.now() - began);
});
process.send?.({ url: `${address}/api/atoll/v1/me`, token: signUp.json<{ token: string }>().token });
