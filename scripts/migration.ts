import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './steps.ts';

/** `npm run migration -- NAME`: writes the SQL for whatever changed in the tables since the last migration. */
const name = process.argv[2];
if (!name) {
  console.error('Give the migration a name: npm run migration -- add_projects');
  process.exit(1);
}
execFileSync('drizzle-kit', ['generate', '--name', name], { cwd: join(root, 'apps/server'), stdio: 'inherit' });
