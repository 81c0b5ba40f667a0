import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findHost } from '@atoll/kernels/client';
import { readConfig } from './config.ts';
import { serverOn } from './platform/data-lock.ts';

const lookMs = 100;

/** Ends the server on this data folder and all kernels, also those that wait for a server. */
export async function stopEverything(env: NodeJS.ProcessEnv, say: (line: string) => void): Promise<void> {
  const { dataFolder } = readConfig(env);
  const server = serverOn(dataFolder);
  if (server) {
    say(`Stopping the server (process ${server}) and everything that runs in its kernels …`);
    process.kill(server, 'SIGINT');
    while (serverOn(dataFolder) === server) await wait(lookMs);
  }
  const host = await findHost(join(dataFolder, 'kernels'));
  await host?.close();
  if (server) say('Stopped.');
  else say(host ? 'No server was running. Its kernels have ended.' : `No server runs on ${dataFolder}.`);
}
