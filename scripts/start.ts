import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runServer } from '../apps/server/src/run.ts';
import { buildWeb } from './build-web.ts';
import { root, say } from './steps.ts';

/** `npm start`: build what is missing, then serve. */
const environmentFile = join(root, '.env');
if (existsSync(environmentFile)) process.loadEnvFile(environmentFile);

say('Starting …');
try {
  await buildWeb();
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
const isTerminal = process.stdout.isTTY === true;
await runServer(
  { ATOLL_LOG_FORMAT: isTerminal ? 'pretty' : 'json', ATOLL_LOG_LEVEL: isTerminal ? 'warn' : 'info', ...process.env },
  say,
);
