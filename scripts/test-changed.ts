import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { journeysFor, testsFor } from './affected.ts';
import { findBrowsers } from './browser.ts';
import { buildWeb } from './build-web.ts';
import { root, run, say, step } from './steps.ts';
import { installTestPackages, makeTestPython } from './test-packages.ts';

/** `npm run test:changed [commit]`: the tests that the changes since a commit can affect; by default since main. */
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const base = git('merge-base', process.argv[2] ?? 'main', 'HEAD');
const changed = [git('diff', '--name-only', base), git('ls-files', '--others', '--exclude-standard')]
  .flatMap((names) => names.split('\n'))
  .filter(Boolean);
const all = readdirSync(join(root, 'e2e')).flatMap((file) => /^(.+)\.test\.ts$/.exec(file)?.[1] ?? []);
const journeys = journeysFor(changed, all);
const startedByPath = testsFor(changed);
say(`${changed.length} files changed since ${base.slice(0, 10)}`);

const browsers = findBrowsers();
const steps = [
  await step('packages for the tests', installTestPackages),
  await step('a Python for the tests', makeTestPython),
  await step('tests', () => {
    if (!startedByPath) return run('vitest', ['run'], browsers);
    const importing = affectedByImports();
    const files = [...importing, ...startedByPath];
    return files.length > 0 ? run('vitest', ['run', ...files], browsers) : Promise.resolve(0);
  }),
];
if (journeys.length > 0) {
  say(`\nJourneys: ${journeys.join(', ')}`);
  steps.push(
    await step('journeys in the browser', async () => {
      await buildWeb();
      const files = journeys.map((name) => `e2e/${name}.test.ts`);
      return run('playwright', ['test', '--config', 'e2e/playwright.config.ts', ...files], browsers);
    }),
  );
}
process.exit(steps.every(({ isGood }) => isGood) ? 0 : 1);

function affectedByImports(): string[] {
  const listed = execFileSync('vitest', ['list', '--changed', base, '--filesOnly', '--json'], {
    cwd: root,
    encoding: 'utf8',
  });
  return [...new Set((JSON.parse(listed) as { file: string }[]).map(({ file }) => file))];
}
