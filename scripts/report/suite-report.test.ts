import { describe, expect, test } from 'vitest';
import { linesOf, linesOfFailures, Progress } from './suite-report.ts';

describe('the end of a run', () => {
  test('names the slowest files of a suite', () => {
    const files = [1, 6, 3, 5, 2, 4].map((seconds) => ({ name: `${seconds}.test.ts`, seconds }));
    expect(linesOf({ suite: 'unit', tests: 7, seconds: 21.4, files })).toEqual([
      'unit                 7 in   21 s',
      ...[6, 5, 4, 3, 2].map((seconds) => `     ${seconds} s  ${seconds}.test.ts`),
    ]);
  });

  test('says a failure without colours and empty lines, and not the whole of a long one', () => {
    const error = ['\u001b[31mexpected\u001b[39m', '', ...Array.from({ length: 40 }, (_, line) => `line ${line}`)].join(
      '\n',
    );
    const lines = linesOfFailures('✗ test failed', [{ test: 'a.test.ts › adds', error }], 60);
    expect(lines.slice(0, 3)).toEqual(['✗ test failed: a.test.ts › adds', '    expected', '    line 0']);
    expect(lines).toHaveLength(16);
  });

  test('names every failure, however many there are', () => {
    const failures = Array.from({ length: 100 }, (_, number) => ({ test: `test ${number}`, error: 'a\nb\nc' }));
    expect(linesOfFailures('✗ test failed', failures, 80)).toEqual(
      failures.map(({ test }) => `✗ test failed: ${test}`),
    );
    expect(linesOfFailures('✗ test failed', failures.slice(0, 20), 80)).toHaveLength(80);
  });
});

test('progress is said at every failure, and otherwise sparsely', () => {
  const said: string[] = [];
  const progress = new Progress('files', 3, (line) => said.push(line));
  for (const failed of [[], ['b'], [], [], [], []]) progress.ended(failed);
  expect(said).toEqual(['✗ b', '3 files, 1 failed', '6 files, 1 failed']);
});
