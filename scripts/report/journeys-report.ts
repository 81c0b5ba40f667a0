import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { FullResult, Reporter, Suite, TestCase, TestError, TestResult } from '@playwright/test/reporter';
import { root, say } from '../steps.ts';
import { type Failure, Progress, type SuiteReport } from './suite-report.ts';

export const journeysReport = join(root, '.cache/journeys.json');

/** Playwright's own lists take a line for each journey, and tell what failed before the end of everything else. */
export default class JourneysReporter implements Reporter {
  readonly #progress = new Progress('journeys', 20, say);
  readonly #outside: Failure[] = [];
  #all: TestCase[] = [];

  onBegin(_: unknown, suite: Suite): void {
    this.#all = suite.allTests();
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    const isGood = result.status === test.expectedStatus || result.status === 'skipped';
    if (isGood || result.retry === test.retries) this.#progress.ended(isGood ? [] : [nameOf(test)]);
  }

  onError(error: TestError): void {
    this.#outside.push({ test: 'outside of every journey', error: textOf(error) });
  }

  onEnd({ duration }: FullResult): void {
    const withOutcome = (outcome: ReturnType<TestCase['outcome']>) =>
      this.#all.filter((test) => test.results.length > 0 && test.outcome() === outcome);
    const failureOf = (test: TestCase): Failure => ({
      test: nameOf(test),
      error: test.results.flatMap(({ errors }) => errors.map(textOf))[0] ?? 'did not end as expected',
    });
    const files = Map.groupBy(this.#all, ({ location }) => relative(root, location.file));
    const report: SuiteReport = {
      passed: withOutcome('expected').length + withOutcome('flaky').length,
      failures: [...withOutcome('unexpected').map(failureOf), ...this.#outside],
      flaky: withOutcome('flaky').map(failureOf),
      figures: [
        {
          suite: 'journeys',
          tests: this.#all.length,
          seconds: duration / 1000,
          files: [...files].map(([name, tests]) => ({
            name,
            seconds: tests.flatMap(({ results }) => results).reduce((sum, result) => sum + result.duration / 1000, 0),
          })),
        },
      ],
    };
    writeFileSync(journeysReport, JSON.stringify(report));
  }
}

function nameOf({ location, title }: TestCase): string {
  return `${relative(root, location.file)}:${location.line} › ${title}`;
}

function textOf({ message, value, location, snippet }: TestError): string {
  const at = location ? `at ${relative(root, location.file)}:${location.line}` : '';
  return [at, message ?? value ?? 'no message', snippet ?? ''].join('\n');
}
