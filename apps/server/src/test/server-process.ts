import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** What makes a server that is started as a process ready sooner: half of a first start is migrating, a tenth compiling. */

const cache = join(import.meta.dirname, '../../../../.cache');
const migrations = join(import.meta.dirname, '../migrations');

/** As `scripts/start.ts` does it: what was compiled once is kept, and what a package offers is read once. */
export const compiledOnce = {
  NODE_COMPILE_CACHE: join(cache, 'compiled'),
  NODE_OPTIONS: `--import=${join(import.meta.dirname, '../../../../scripts/resolve-once.ts')}`,
};

/** Puts the embedded database, migrated and without rows, into a data folder that is new. */
export async function prepareDatabase(dataFolder: string): Promise<void> {
  cpSync(await migratedFolder(), dataFolder, { recursive: true });
}

/** A data folder with that database, made once for these migrations. Nobody may open it where it is. */
export async function migratedFolder(): Promise<string> {
  const template = join(cache, `migrated-${version()}`);
  if (existsSync(template)) return template;
  mkdirSync(cache, { recursive: true });
  // Those of other migrations.
  for (const name of readdirSync(cache))
    if (name.startsWith('migrated-')) rmSync(join(cache, name), { recursive: true, force: true });
  const folder = mkdtempSync(join(cache, 'migrating-'));
  const { openDatabase } = await import('../platform/db/database.ts');
  await (await openDatabase({ url: null, dataFolder: folder })).close();
  try {
    renameSync(folder, template);
  } catch {
    // Another process has made it meanwhile.
    rmSync(folder, { recursive: true, force: true });
  }
  return template;
}

function version(): string {
  const hash = createHash('sha256');
  // The database's own version is in there.
  hash.update(readFileSync(join(import.meta.dirname, '../../package.json')));
  for (const path of readdirSync(migrations, { recursive: true, encoding: 'utf8' }).sort()) {
    if (path.endsWith('.sql')) hash.update(path).update(readFileSync(join(migrations, path)));
  }
  return hash.digest('hex').slice(0, 16);
}
