import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { root, say } from '../steps.ts';
import { type Failure, type Figures, Progress, type SuiteReport } from './suite-report.ts';

export const vitestReport = join(root, '.cache/vitest.json');

type Problem = NonNullable<ReturnType<TestCase['result']>['errors']>[number];

/** Vitest's own report does not say which project a file was tested in, and some are tested in two. */
export default class VitestReporter implements Reporter {
  readonly #suites = new Map<string, Figures & { startedAt: number }>();
  readonly #report: SuiteReport = { passed: 0, failures: [], flaky: [], figures: [] };
  readonly #progress = new Progress('files of tests', 25, say);

  onTestModuleStart({ project: { name } }: TestModule): void {
    if (this.#suites.has(name)) return;
    this.#suites.set(name, { suite: name, tests: 0, seconds: 0, files: [], startedAt: performance.now() });
  }

  onTestModuleEnd(module: TestModule): void {
    const name = relative(root, module.moduleId);
    const failures = [
      ...[...module.children.allTests('failed')].map((test) => ({
        test: `${name} › ${test.fullName}`,
        problems: test.result().errors ?? [],
      })),
      ...[...module.children.allSuites()].map((suite) => ({
        test: `${name} › ${suite.fullName}`,
        problems: suite.errors(),
      })),
      { test: name, problems: module.errors() },
    ]
      .filter(({ problems }) => problems.length > 0)
      .map(
        ({ test, problems }): Failure => ({
          test: `${module.project.name} ${test}`,
          error: problems.map(textOf).join('\n'),
        }),
      );
    const passed = [...module.children.allTests('passed')];
    this.#report.passed += passed.length;
    for (const test of passed) {
      if (!test.diagnostic()?.flaky) continue;
      const problems = test.result().errors ?? [];
      this.#report.flaky.push({
        test: `${module.project.name} ${name} › ${test.fullName}`,
        error: problems.map(textOf).join('\n'),
      });
    }
    this.#report.failures.push(...failures);
    this.#progress.ended(failures.map(({ test }) => test));
    const figures = this.#suites.get(module.project.name);
    if (!figures) return;
    figures.tests += [...module.children.allTests()].length;
    figures.seconds = (performance.now() - figures.startedAt) / 1000;
    figures.files.push({ name, seconds: module.diagnostic().duration / 1000 });
  }

  onTestRunEnd(_: readonly TestModule[], unhandled: readonly Problem[]): void {
    const outside = unhandled.map((problem) => ({ test: 'outside of every test', error: textOf(problem) }));
    const report: SuiteReport = {
      ...this.#report,
      failures: [...this.#report.failures, ...outside],
      figures: [...this.#suites.values()],
    };
    writeFileSync(vitestReport, JSON.stringify(report));
  }
}

function textOf({ name, message, diff, stacks = [] }: Problem): string {
  const at = stacks.slice(0, 2).map(({ file, line, column }) => `at ${relative(root, file)}:${line}:${column}`);
  return [...at, `${name ?? 'Error'}: ${message}`, diff ?? ''].join('\n');
}
