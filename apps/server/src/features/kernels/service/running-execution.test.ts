import { expect, test } from 'vitest';
import type { ExecutionRow } from '../table.ts';
import { RunningExecution } from './running-execution.ts';

const text = (said: string, name = 'stdout') => ({ type: 'stream', content: { name, text: said } });
const ongoing = () => new RunningExecution({ outputBytes: 0, clearsWithNext: false } as ExecutionRow, true);
const hearAll = (each: RunningExecution, ...messages: ReturnType<typeof text>[]) => {
  for (const message of messages) each.hear(message, (said) => said, 1024 ** 2);
};

test('publishes and stores only the last state of a progress bar, however often it has changed', () => {
  const bar = ongoing();
  hearAll(bar, text('begin\n'), text('  0%', 'stderr'));
  for (let step = 1; step <= 100; step++) hearAll(bar, text(`\r${String(step).padStart(3)}%`, 'stderr'));
  const stream = (name: string, said: string) => ({ output_type: 'stream', name, text: said });
  const first = bar.take();
  expect(first.changes).toEqual([
    { type: 'set', index: 0, output: stream('stdout', 'begin\n'), display_id: null },
    { type: 'set', index: 1, output: stream('stderr', '100%'), display_id: null },
  ]);
  expect(first.outputs.map(({ output }) => output.output)).toEqual([
    stream('stdout', 'begin\n'),
    stream('stderr', '100%'),
  ]);

  // Clients that have the first part get the following ones, in order.
  hearAll(bar, text('\n', 'stderr'), text('a', 'stdout'), text('b', 'stdout'));
  expect(bar.take().changes).toEqual([
    { type: 'append', index: 1, at: 4, text: '\n' },
    { type: 'set', index: 2, output: stream('stdout', 'ab'), display_id: null },
  ]);
});

test('takes the number of a run from the kernel, if it fits', () => {
  const each = ongoing();
  const say = (execution_count: unknown) =>
    each.hear({ type: 'execute_input', content: { execution_count } }, (said) => said, 1024);
  say(3);
  for (const wrong of [10 ** 12, 1.5, Number.NaN, '4', null]) say(wrong);
  expect(each.row.executionCount).toBe(3);
});

test('publishes the final state of an output that is appended to', () => {
  const bar = ongoing();
  hearAll(bar, text('1%'));
  bar.take();
  hearAll(bar, text(' of all'), text('\r2% of all'), text(' of it'));
  const changes = bar.take().changes;
  expect(changes).toEqual([
    {
      type: 'set',
      index: 0,
      output: { output_type: 'stream', name: 'stdout', text: '2% of all of it' },
      display_id: null,
    },
  ]);
});

test('ends an execution that its kernel could not begin when it began, not before', () => {
  const late = new RunningExecution({ startedAt: new Date(2000) } as ExecutionRow, true);
  late.end({ state: 'aborted', reason: 'The kernel was stopped.', errorName: null }, 0, new Date(1000));
  expect(late.row.endedAt).toEqual(new Date(2000));
});

test('leaves out output beyond the limit except errors, and gives the reason with any end', () => {
  const full = ongoing();
  hearAll(full, text('x'.repeat(2 * 1024 ** 2)));
  full.leaveOutRest('It showed more than 1 MB. The rest was left out.');
  hearAll(full, text('more'));
  full.hear({ type: 'error', content: { ename: 'E', evalue: 'v', traceback: [] } }, (said) => said, 1024);
  expect(full.outputs.map(({ output }) => output.output_type)).toEqual(['stream', 'error']);
  full.end({ state: 'ok', reason: null, errorName: null }, 1, new Date());
  expect(full.row).toMatchObject({ state: 'ok', reason: 'It showed more than 1 MB. The rest was left out.' });
});
