import { createApp } from '../../../app.ts';
import { readConfig } from '../../../config.ts';
import { openDatabase } from '../../db/database.ts';
import { createLog } from '../../log.ts';
import type { MessageBus } from '../../messages/bus.ts';

/** A server that, once it is doomed, is killed between a commit and the first message about it. */
const config = readConfig(process.env);
let isDoomed = false;
const bus: MessageBus = {
  publish(subject) {
    if (isDoomed && subject === 'topics') process.kill(process.pid, 'SIGKILL');
  },
  subscribe: async () => () => {},
  close: async () => {},
};
const database = await openDatabase({ url: config.databaseUrl, dataFolder: config.dataFolder });
const now = () => new Date(Number(process.env.TEST_TIME));
const app = await createApp({ config, database, log: createLog(config.log), now, bus, webFolder: null });
process.on('message', async (message: 'listen' | 'doom') => {
  if (message === 'listen') {
    await app.start();
    await app.http.listen({ port: config.port, host: '127.0.0.1' });
  } else isDoomed = true;
  process.send?.(message);
});
process.send?.('ready');
