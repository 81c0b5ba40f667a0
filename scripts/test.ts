import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { migratedFolder } from '../apps/server/src/test/server-process.ts';
import { findBrowsers } from './browser.ts';
import { buildWeb } from './build-web.ts';
import { check, makeRoutes } from './check.ts';
import { journeysReport } from './report/journeys-report.ts';
import { type Figures, linesOf, linesOfFailures, type SuiteReport } from './report/suite-report.ts';
import { vitestReport } from './report/vitest-report.ts';
import { inTurn, pyodideLibrary, root, run, say, step } from './steps.ts';
import { installTestPackages, makeTestPython } from './test-packages.ts';

/**
 * `npm test`: the checks, every test on both databases, and the journeys in a real browser. The suites run beside each
 * other: each waits for kernels, browsers and processes a third of its time, and no test says how fast something is.
 */
const cache = join(root, '.cache');
mkdirSync(cache, { recursive: true });
for (const file of [vitestReport, journeysReport]) rmSync(file, { force: true });

const began = performance.now();
const since = (start: number) => (performance.now() - start) / 1000;
let browsers: NodeJS.ProcessEnv = {};
// First, or the build and the checks would write it at the same time.
const routes = await makeRoutes();
// Downloading and installing leave a core to the checks and to what is made of our own sources.
const checking = check().then((steps) => ({ steps, seconds: since(began) }));
const [installed, made] = await Promise.all([
  inTurn([
    () => step('packages for the tests', installTestPackages),
    // Both suites need one: reports are drawn by it.
    () =>
      step('browsers for the tests', async () => {
        browsers = findBrowsers();
        return 0;
      }),
    () => step('a Python for the tests', makeTestPython),
  ]),
  inTurn([
    () => step('what Pyodide starts with', () => run('node', [pyodideLibrary])),
    // Here once, or each of the processes that need it would make it at the same time.
    () => step('a database for the tests', () => ready(migratedFolder())),
    () => step('the web app', () => ready(buildWeb())),
  ]),
]);
const [checked, tests, journeys] = await Promise.all([
  checking,
  step('tests', () =>
    run('vitest', ['run', '--reporter=./scripts/report/vitest-report.ts'], browsers, (line) =>
      say(`tests    │ ${line}`),
    ),
  ),
  step('journeys in the browser', () =>
    run(
      'playwright',
      ['test', '--config', 'e2e/playwright.config.ts', '--reporter', join(root, 'scripts/report/journeys-report.ts')],
      browsers,
      (line) => say(`journeys │ ${line}`),
    ),
  ),
]);

const [vitest, playwright] = [vitestReport, journeysReport].map(readReport);
const figures: Figures[] = [
  { suite: 'checks', tests: checked.steps.length, seconds: checked.seconds, files: checked.steps },
  ...[vitest, playwright].flatMap((report) => report?.figures ?? []),
];
say('');
for (const each of figures) for (const line of linesOf(each)) say(line);
say('');
// Last of all: of a long log often only the end is kept.
const failedSteps = [routes, ...installed, ...made, ...checked.steps, tests, journeys].filter(({ isGood }) => !isGood);
const flaky = [vitest, playwright].flatMap((report) => report?.flaky ?? []);
for (const line of [
  ...linesOfFailures('~ flaky, passed when tried again', flaky, 20),
  ...linesOfFailures(
    '✗ failed',
    failedSteps.map(({ name, output = '' }) => ({ test: name, error: output })),
    20,
  ),
  ...linesOfFailures('✗ test failed', vitest?.failures ?? [], 40),
  ...linesOfFailures('✗ journey failed', playwright?.failures ?? [], 60),
])
  say(line);
const passed = (vitest?.passed ?? 0) + (playwright?.passed ?? 0);
const failed = (vitest?.failures.length ?? 0) + (playwright?.failures.length ?? 0);
say(`\n${passed} passed, ${failed} failed, ${flaky.length} flaky, in ${(since(0) / 60).toFixed(1)} min`);
process.exit(failedSteps.length === 0 ? 0 : 1);

async function ready(work: Promise<unknown>): Promise<number> {
  await work;
  return 0;
}

function readReport(file: string): SuiteReport | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as SuiteReport;
  } catch {
    return null;
  }
}
