import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { pyodideLibrary, root, run, say } from './steps.ts';

/** `npm start`: build what is missing, then serve. */
const environmentFile = join(root, '.env');
if (existsSync(environmentFile)) process.loadEnvFile(environmentFile);

say('Starting …');
// Reading the server's modules is most of a restart; what was compiled once is kept. It must be on before they load.
enableCompileCache(join(root, '.cache/node'));
await import('./resolve-once.ts');
const { buildWeb } = await import('./build-web.ts');
const { runServer } = await import('../apps/server/src/run.ts');
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
// Kernels start without it too, only slower.
run(process.execPath, [pyodideLibrary], {}, () => {}).catch(() => {});
