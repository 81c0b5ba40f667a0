import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './steps.ts';

/** Generates what is missing into a copy of the migrations; a table that changed without one shows as a new file. */
const server = join(root, 'apps/server');
const copy = mkdtempSync(join(tmpdir(), 'migrations-'));
const config = join(server, `drizzle.check-${process.pid}.config.ts`);
try {
  cpSync(join(server, 'src/migrations'), copy, { recursive: true });
  const before = readdirSync(copy).length;
  writeFileSync(
    config,
    `export default { dialect: 'postgresql', schema: ['./src/features/*/table.ts', './src/platform/*/table.ts'], out: ${JSON.stringify(copy)} };`,
  );
  execFileSync('drizzle-kit', ['generate', '--config', config], { cwd: server, stdio: 'pipe' });
  if (readdirSync(copy).length !== before) {
    console.error('The tables changed without a migration: run `npm run migration -- NAME`.');
    process.exitCode = 1;
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
  rmSync(config, { force: true });
}
