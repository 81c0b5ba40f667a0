import type { CellOutputChange } from '@atoll/contract/kernels/entity';
import type { RunDetail, RunExecution } from '@atoll/contract/runs/entity';
import { describe, expect, it, test } from 'vitest';
import { duration, isRunnable, progressWords, withExecution, withRun } from './model.ts';

const execution = (over: Partial<RunExecution> = {}): RunExecution => ({
  id: 'e',
  cell: 'a',
  state: 'running',
  execution_count: 1,
  reason: null,
  started_at: '2026-11-15T10:00:00.000Z',
  ended_at: null,
  milliseconds: null,
  outputs: [],
  ...over,
});
const run = (executions: RunExecution[], over: Partial<RunDetail> = {}): RunDetail => ({
  id: 'r',
  number: 1,
  starter: null,
  started_at: '2026-11-15T10:00:00.000Z',
  ended_at: null,
  type: 'manual',
  environment: { kernel: 'pyodide.python', tier: 'l1' },
  version: null,
  file: null,
  parameters: {},
  status: 'running',
  error_reason: null,
  cells_done: 0,
  cells_total: 2,
  execution_seconds: 0,
  notices: [],
  has_result: false,
  executions,
  ...over,
});
const said = (text: string) => ({ output_type: 'stream', name: 'stdout', text }) as const;
const set = (index: number, text: string): CellOutputChange => ({
  type: 'set',
  index,
  output: said(text),
  display_id: null,
});
const append = (at: number, text: string, index = 0): CellOutputChange => ({ type: 'append', index, at, text });

const after = (before: RunDetail, ...changes: CellOutputChange[]) =>
  withExecution(before, { execution: execution(), changes });
const textsOf = (detail: RunDetail | null) =>
  detail?.executions[0]?.outputs.map((output) => (output.output_type === 'stream' ? output.text : null));

describe('what is told of a cell', () => {
  it('is taken in, without touching what was there', () => {
    const before = run([]);
    const first = after(before, set(0, 'a')) as RunDetail;
    const second = after(first, append(1, 'b'), set(1, 'x'), append(1, 'y', 1));
    expect(textsOf(second)).toEqual(['ab', 'xy']);
    expect(textsOf(first)).toEqual(['a']);
    expect(before.executions).toEqual([]);
    expect(textsOf(after(second as RunDetail, { type: 'clear' }, set(0, 'new')))).toEqual(['new']);
  });

  it('counts once, although it was loaded already', () => {
    const loaded = run([execution({ outputs: [said('abc')] })]);
    expect(textsOf(after(loaded, append(1, 'b')))).toEqual(['abc']);
    expect(textsOf(after(loaded, append(2, 'cde')))).toEqual(['abcde']);
    // From any point on, hearing all of it again comes to the same.
    const story = [set(0, 'a'), append(1, 'b'), { type: 'clear' } as const, set(0, 'x'), append(1, 'y'), set(1, 'z')];
    for (let from = 0; from <= story.length; from++) {
      const known = after(run([]), ...story) as RunDetail;
      const again = after(known, ...story.slice(from));
      if (again) expect(textsOf(again), String(from)).toEqual(['xy', 'z']);
    }
  });

  it('is missing something where it does not fit', () => {
    expect(after(run([]), append(3, 'd'))).toBeNull();
    expect(after(run([]), set(1, 'b'))).toBeNull();
    expect(after(run([execution({ outputs: [said('a')] })]), append(3, 'd'))).toBeNull();
  });

  it('does not bring back to life what has ended', () => {
    const ended = execution({ state: 'ok', ended_at: '2026-11-15T10:00:01.000Z' });
    expect(after(run([ended]), set(0, 'a'))?.executions[0]).toMatchObject({ state: 'ok', outputs: [said('a')] });
    const over = run([], { status: 'succeeded', ended_at: '2026-11-15T10:00:01.000Z' });
    expect(withRun(over, run([]))).toBe(over);
    expect(withRun(run([ended]), { ...over, cells_done: 2 })).toMatchObject({ status: 'succeeded', cells_done: 2 });
  });
});

test.each([
  [-5, '0 s'],
  [440, '440 ms'],
  [999, '1 s'],
  [1_440, '1.4 s'],
  [9_960, '10 s'],
  [59_600, '1 min 0 s'],
  [185_000, '3 min 5 s'],
  [7_800_000, '2 h 10 min'],
])('%d ms are %s', (milliseconds, words) => expect(duration(milliseconds)).toBe(words));

test('what can be run, and how far it is', () => {
  expect(['a.ipynb', 'b.PY', 'c.R', 'd.md', 'e.strat', 'f'].map(isRunnable)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(progressWords({ cells_done: 2, cells_total: 5 })).toBe('2 of 5 cells');
  expect(progressWords({ cells_done: 0, cells_total: 1 })).toBeNull();
  expect(progressWords({ cells_done: 0, cells_total: null })).toBeNull();
});
