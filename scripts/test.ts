import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { JSONReport } from '@playwright/test/reporter';
import { findBrowser } from './browser.ts';
import { buildWeb } from './build-web.ts';
import { check } from './check.ts';
import { type Figures, figuresOfJourneys, linesOf } from './figures.ts';
import { root, run, say, step } from './steps.ts';
import { installTestPackages, makeTestPython } from './test-packages.ts';
import { vitestFigures } from './vitest-figures.ts';

/**
 * `npm test`: the checks, every test on both databases, and the journeys in a real browser. They run beside each other:
 * each waits for kernels, browsers and processes a third of its time, and no test says how fast something is.
 */
const reports = join(root, '.cache');
const vitestReport = join(reports, 'vitest.json');
const playwrightReport = join(reports, 'playwright.json');
mkdirSync(reports, { recursive: true });
for (const file of [vitestReport, vitestFigures, playwrightReport]) rmSync(file, { force: true });

const prepared = [
  await step('packages for the tests', installTestPackages),
  await step('a Python for the tests', makeTestPython),
  await step('the web app', async () => {
    await buildWeb();
    return 0;
  }),
];
// Both suites need it: reports are drawn by one.
const CHROMIUM_PATH = findBrowser();
const began = performance.now();
const since = (start: number) => (performance.now() - start) / 1000;
let checkSeconds = 0;
const [checks, tests, journeys] = await Promise.all([
  check().finally(() => {
    checkSeconds = since(began);
  }),
  step('tests', () =>
    run(
      'vitest',
      [
        'run',
        ...['default', 'json', './scripts/vitest-figures.ts'].map((reporter) => `--reporter=${reporter}`),
        `--outputFile.json=${vitestReport}`,
      ],
      { CHROMIUM_PATH },
      'tests   ',
    ),
  ),
  step('journeys in the browser', () =>
    run(
      'playwright',
      ['test', '--config', 'e2e/playwright.config.ts'],
      { CHROMIUM_PATH, PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightReport },
      'journeys',
    ),
  ),
]);

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
const playwright = readReport<JSONReport>(playwrightReport);
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
const figures: Figures[] = [
  { suite: 'checks', tests: checks.length, seconds: checkSeconds, files: checks },
  ...(readReport<Figures[]>(vitestFigures) ?? []),
  ...(playwright ? [figuresOfJourneys(playwright)] : []),
];
say('');
for (const each of figures) for (const line of linesOf(each)) say(line);
const failedSteps = [...prepared, ...checks, tests, journeys].filter(({ isGood }) => !isGood);
for (const { name } of failedSteps) say(`\n✗ ${name} failed`);
say(`\n${passed} passed, ${failed} failed, in ${(since(0) / 60).toFixed(1)} min`);
process.exit(failedSteps.length === 0 ? 0 : 1);

function readReport<Report>(file: string): Report | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report;
  } catch {
    return null;
  }
}
