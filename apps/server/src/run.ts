import { existsSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type App, createApp } from './app.ts';
import { readConfig } from './config.ts';
import { lockDataFolder } from './platform/data-lock.ts';
import { openDatabase } from './platform/db/database.ts';
import { announceKernels, unsandboxedWarning } from './platform/kernels/announce.ts';
import { createLog } from './platform/log.ts';
import { ensureSecretKey } from './platform/secret-key.ts';
import { StartError, startFailure } from './platform/start-error.ts';

/** Service managers kill 10 s after `SIGTERM`; who stops everything waits until kernels and their runs have ended. */
const drainMs = { keeping: 9_000, ending: 30_000 };

/** config → lock → database → app → listen; and back again on SIGTERM, which keeps kernels, and SIGINT, which ends them. */
export async function runServer(env: NodeJS.ProcessEnv, say: (line: string) => void): Promise<App> {
  try {
    return await boot(env, say);
  } catch (error) {
    console.error(startFailure(error));
    process.exit(1);
  }
}

/** A database that does not answer is told without our stack, and never with its password. */
function unreachable(url: string, error: unknown): StartError {
  if (error instanceof StartError) return error;
  const { host } = new URL(url);
  return new StartError(`The database at ${host} cannot be used: ${(error as Error).message}`);
}

/**
 * Every packet of an upload is memory outside V8's heap. By default 64 MB of that start a collection of the whole heap,
 * twice for each large file; counted together with the heap, the small collections free it in time.
 */
setFlagsFromString('--external-memory-accounted-in-global-limit');

/** Starting leaves hundreds of megabytes of garbage, most of it the database's; no request should wait for its collection. */
function forgetStart(): void {
  setFlagsFromString('--expose-gc');
  // The kind that gives back to the system what it frees.
  runInNewContext('gc')({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  setFlagsFromString('--no-expose-gc');
}

async function boot(env: NodeJS.ProcessEnv, say: (line: string) => void): Promise<App> {
  const { dataFolder } = readConfig(env);
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  // Kernels of a server that runs as root are another user, who must get to the Python in it; all else in it is closed.
  if (process.getuid?.() === 0) await chmod(dataFolder, 0o711);
  const config = readConfig({ ...env, ATOLL_SECRET_KEYS: env.ATOLL_SECRET_KEYS || ensureSecretKey(dataFolder) });
  const log = createLog(config.log);
  const unlock = lockDataFolder(config.dataFolder, new Date());
  process.on('exit', unlock);

  say(config.databaseUrl ? 'Connecting to PostgreSQL and migrating …' : 'Opening the database and migrating …');
  const database = await openDatabase({ url: config.databaseUrl, dataFolder: config.dataFolder }).catch((error) => {
    throw config.databaseUrl ? unreachable(config.databaseUrl, error) : error;
  });
  const webFolder = join(import.meta.dirname, '../../web/dist');
  const announcements: string[] = [];
  const app = await createApp({
    config,
    database,
    log,
    webFolder: existsSync(join(webFolder, 'index.html')) ? webFolder : null,
    announce: (_what, text) => announcements.push(text),
  });
  await app.start();
  forgetStart();
  const address = await app.http.listen({ port: config.port, host: config.host });

  let stopping = false;
  const stop = (signal: string, keepsKernels: boolean) => {
    if (stopping) return;
    stopping = true;
    log.info(
      { signal },
      keepsKernels
        ? `Stopping: kernels go on for ${config.kernels.graceMs / 1_000} s, until the server is back`
        : 'Stopping: kernels and what runs in them end too',
    );
    // Not exit: it would wait for a thread that is stuck, with the lock already given up. A stale lock is recognised.
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), drainMs[keepsKernels ? 'keeping' : 'ending']).unref();
    app.stop({ keepsKernels }).then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ error }, 'Stopping failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', (signal) => stop(signal, true));
  process.on('SIGINT', (signal) => stop(signal, false));
  process.on('unhandledRejection', (error) => log.error({ error }, 'Unhandled rejection'));

  for (const link of announcements)
    say(`Sign in as the administrator with this link (works once, for a day):\n\n  ${link}\n`);
  // Any free port is only known now.
  say(`Ready at ${config.port === 0 ? address : config.url}`);
  if (config.kernels.isUnsandboxed) say(styleText('red', unsandboxedWarning));
  if (config.kernels.keepsSpare)
    announceKernels(app.system().kernels, say).catch((error: unknown) =>
      log.error({ error }, 'The kernel host did not start'),
    );
  return app;
}
