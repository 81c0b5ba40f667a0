import { randomUUID } from 'node:crypto';
import { reserve, settle } from '../apps/server/src/features/quota/service/reservations.ts';
import { runServer } from '../apps/server/src/run.ts';
import type { Use } from './server.ts';

/** The product, whose people use execution time when a journey says so. */
const app = await runServer(process.env, (line) => console.log(line));

process.on('message', async ({ userId, wantedMs, usedMs }: Use) => {
  const ctx = app.system();
  const id = randomUUID();
  await ctx.write((write) => reserve(ctx, write, { id, userId, wantedMs }));
  if (usedMs !== undefined) await ctx.write((write) => settle(ctx, write, id, usedMs, 'done'));
  process.send?.('done');
});
