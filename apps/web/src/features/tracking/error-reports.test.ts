import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type ErrorReport, ErrorReporter } from './error-reports.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp(send = async (_reports: ErrorReport[]) => {}) {
  const sent: ErrorReport[][] = [];
  const reporter = new ErrorReporter(
    async (reports) => {
      sent.push(reports);
      await send(reports);
    },
    () => '/projects/$projectId',
  );
  return { reporter, sent };
}

it('sends errors together once none came for a second, with what was done before', async () => {
  const { reporter, sent } = setUp();
  for (let count = 0; count < 120; count++) reporter.leaveBreadcrumb(`click ${count}`);
  reporter.report(new Error('first\nline'));
  await vi.advanceTimersByTimeAsync(900);
  reporter.report('second');
  await vi.advanceTimersByTimeAsync(900);
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(100);
  expect(sent[0]?.map(({ message, path }) => [message, path])).toEqual([
    ['first line', '/projects/$projectId'],
    ['second', '/projects/$projectId'],
  ]);
  expect([sent[0]?.[0]?.breadcrumbs.length, sent[0]?.[0]?.breadcrumbs[0]]).toEqual([100, 'click 20']);
});

it('keeps 30 and sends them after 30 seconds, though errors go on', async () => {
  const { reporter, sent } = setUp();
  for (let passed = 0; passed < 30_000; passed += 500) {
    reporter.report(`at ${passed}`);
    await vi.advanceTimersByTimeAsync(500);
  }
  expect(sent.map((reports) => reports.length)).toEqual([30]);
});

it('tries again every five seconds until it is sent', async () => {
  let failures = 2;
  const { reporter, sent } = setUp(async () => {
    if (failures-- > 0) throw new Error('offline');
  });
  reporter.report(new Error('x'));
  await vi.advanceTimersByTimeAsync(1_000 + 2 * 5_000);
  expect(sent.map((reports) => reports.length)).toEqual([1, 1, 1]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent.length).toBe(3);
});
