import { readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { findBrowser } from './browser.ts';
import { buildWeb } from './build-web.ts';
import { check } from './check.ts';
import { root, run, say, step } from './steps.ts';
import { installTestPackages, makeTestPython } from './test-packages.ts';

/** `npm test`: the checks, every test on both databases, and the journeys in a real browser. */
const reports = join(root, '.cache');
const vitestReport = join(reports, 'vitest.json');
const playwrightReport = join(reports, 'playwright.json');
for (const file of [vitestReport, playwrightReport]) rmSync(file, { force: true });

const isChecked = await check();
const hasPackages = await step('packages for the tests', installTestPackages);
const hasPython = await step('a Python for the tests', makeTestPython);
const isTested = await step('tests', () =>
  run('vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`]),
);
const isDriven = await step('journeys in the browser', async () => {
  await buildWeb();
  return run('playwright', ['test', '--config', 'e2e/playwright.config.ts'], {
    CHROMIUM_PATH: findBrowser(),
    PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightReport,
  });
});

const vitest = readReport<{
  numPassedTests: number;
  numFailedTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
}>(vitestReport);
const playwright = readReport<{ stats: { expected: number; unexpected: number; flaky: number; skipped: number } }>(
  playwrightReport,
);
const passed = (vitest?.numPassedTests ?? 0) + (playwright?.stats.expected ?? 0);
const failed = (vitest?.numFailedTests ?? 0) + (playwright?.stats.unexpected ?? 0) + (playwright?.stats.flaky ?? 0);
// Said again at the end: the journeys' many lines have pushed it out of sight, or out of a log that was cut.
for (const file of vitest?.testResults ?? []) {
  const failures = file.assertionResults.filter(({ status }) => status === 'failed');
  for (const { fullName, failureMessages } of failures)
    say(`\n✗ ${relative(root, file.name)} › ${fullName}\n${failureMessages.join('\n')}`);
  if (failures.length === 0 && file.status === 'failed')
    say(`\n✗ ${relative(root, file.name)}: ${file.message || 'failed before or after its tests'}`);
}
const failedSteps = Object.entries({
  checks: isChecked,
  packages: hasPackages,
  Python: hasPython,
  tests: isTested,
  journeys: isDriven,
}).filter(([, isFine]) => !isFine);
for (const [name] of failedSteps) say(`\n✗ ${name} failed`);
say(`\n${passed} passed, ${failed} failed`);
process.exit(failedSteps.length === 0 ? 0 : 1);

function readReport<Report>(file: string): Report | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report;
  } catch {
    return null;
  }
}
