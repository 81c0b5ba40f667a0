import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './steps.ts';

/** `npm run migration -- NAME`: writes the SQL for whatever changed in the tables since the last migration. */
const name = process.argv[2];
if (!name) {
  console.error('Give the migration a name: npm run migration -- add_projects');
  process.exit(1);
}
const server = join(root, 'apps/server');
execFileSync('drizzle-kit', ['generate', '--name', name], { cwd: server, stdio: 'inherit' });
// The next one is compared with the newest snapshot alone, and each is 400 KB.
const meta = join(server, 'src/migrations/meta');
const snapshots = readdirSync(meta).filter((file) => file.endsWith('_snapshot.json'));
for (const older of snapshots.toSorted().slice(0, -1)) rmSync(join(meta, older));
