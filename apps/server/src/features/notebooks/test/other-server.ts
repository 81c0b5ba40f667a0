import { createHost, fakeKernels } from '@atoll/kernels';
import { createApp } from '../../../app.ts';
import { readConfig } from '../../../config.ts';
import { openDatabase } from '../../../platform/db/database.ts';
import { kernelsHere } from '../../../platform/kernels/kernels.ts';
import { createLog } from '../../../platform/log.ts';

/** A server in a process of its own, with kernels in memory or real ones, which tests can kill. */
const config = readConfig(process.env);
const database = await openDatabase({ url: config.databaseUrl, dataFolder: config.dataFolder });
const now = () => new Date(Number(process.env.TEST_TIME));
const inMemory = async () => {
  const host = await createHost({ providers: [fakeKernels()], runFolder: config.dataFolder });
  return kernelsHere({ ...host, hostId: crypto.randomUUID() });
};
const app = await createApp({
  config,
  database,
  log: createLog(config.log),
  now,
  webFolder: null,
  ...(process.env.TEST_KERNELS === 'real' ? {} : { kernels: await inMemory() }),
});
await app.start();
await app.http.listen({ port: config.port, host: '127.0.0.1' });
process.once('message', async () => {
  await app.stop();
  process.exit(0);
});
process.send?.('ready');
