import { describe, expect, it, test } from 'vitest';
import { clip, hasLongLine, shortenLines, shownOutputs } from './model.ts';

describe('outputs', () => {
  it('are shown in the safest form that says the most', () => {
    expect(
      shownOutputs([
        { output_type: 'stream', name: 'stdout', text: ['a\n', 'b'] },
        {
          output_type: 'display_data',
          data: { 'image/png': 'AA\nBB', 'text/html': '<b>', 'text/plain': '<Figure 1>' },
        },
        { output_type: 'display_data', data: { 'image/svg+xml': '<svg/>', 'text/plain': 'Tides of May' } },
        { output_type: 'execute_result', data: { 'text/html': ['<table>', '</table>'], 'text/plain': 't' } },
        { output_type: 'display_data', data: { 'text/markdown': '**x**', 'text/plain': 'x' } },
        { output_type: 'display_data', data: { 'application/json': { a: 1 }, 'text/plain': '<JSON>' } },
        { output_type: 'error', ename: 'E', evalue: 'v', traceback: ['one', 'two'] },
        { output_type: 'error', ename: 'E', evalue: 'v', traceback: [] },
      ]),
    ).toEqual([
      { kind: 'text', pieces: ['a\nb'], tone: 'plain' },
      { kind: 'image', address: 'data:image/png;base64,AABB', alt: 'Output of the cell' },
      { kind: 'image', address: 'data:image/svg+xml,%3Csvg%2F%3E', alt: 'Tides of May' },
      { kind: 'html', html: '<table></table>' },
      { kind: 'markdown', text: '**x**' },
      { kind: 'json', value: { a: 1 } },
      { kind: 'text', pieces: ['one\ntwo'], tone: 'error' },
      { kind: 'text', pieces: ['E: v'], tone: 'error' },
    ]);
  });

  it('that are one long text are one, and a result is not part of it', () => {
    const stream = (text: string, name = 'stdout') => ({ output_type: 'stream', name, text });
    const result = { output_type: 'execute_result', data: { 'text/plain': '3' } };
    expect(shownOutputs([stream('a'), stream('b'), stream('c', 'stderr'), stream('d'), result])).toEqual([
      { kind: 'text', pieces: ['a', 'b'], tone: 'plain' },
      { kind: 'text', pieces: ['c'], tone: 'stderr' },
      { kind: 'text', pieces: ['d'], tone: 'plain' },
      { kind: 'text', pieces: ['3'], tone: 'plain' },
    ]);
  });

  it('are drawn by what knows them', () => {
    const kinds = (data: object) =>
      shownOutputs([{ output_type: 'display_data', data: { 'text/html': '<b>', 'text/plain': 'p', ...data } }]).map(
        (shown) => (shown.kind === 'chart' ? shown.library : shown.kind),
      );
    expect(kinds({ 'application/vnd.plotly.v1+json': { data: [] } })).toEqual(['plotly']);
    expect(kinds({ 'application/vnd.jupyter.widget-state+json': { model_id: 'a', state: {} } })).toEqual(['widgets']);
    expect(kinds({ 'application/vnd.vegalite.v5+json': {} })).toEqual(['vega-lite']);
    expect(kinds({ 'application/vnd.vega.v5.2+json': {} })).toEqual(['vega']);
    expect(kinds({ 'application/vnd.atoll.dataframe+json': { columns: [], rows: [] } })).toEqual(['frame']);
    expect(kinds({ 'application/vnd.jupyter.widget-view+json': { model_id: 'm' } })).toEqual(['widget']);
    expect(kinds({ 'application/vnd.plotly.v1+json': 'no figure' })).toEqual(['html']);
    expect(shownOutputs([{ data: { 'text/latex': 'x^2' } }])).toEqual([{ kind: 'markdown', text: '$$x^2$$' }]);
  });

  it('are as large as the code says', () => {
    const sized = (wanted: unknown) =>
      shownOutputs([
        { output_type: 'display_data', data: { 'image/png': 'AA' }, metadata: { 'image/png': wanted } },
      ])[0];
    expect(sized({ width: 300, height: 200 })).toMatchObject({ width: 300, height: 200 });
    for (const odd of [undefined, null, { width: '300', height: -1 }]) expect(sized(odd)).not.toHaveProperty('width');
  });

  it('may be anything at all', () => {
    for (const value of [null, 3, [null, 1, {}, { data: 4 }, { output_type: 'error' }, { data: { 'image/png': 3 } }]]) {
      expect(() => shownOutputs(value)).not.toThrow();
    }
  });
});

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `${from + index}\n`).join('');

test('a long text is its first and last lines, wherever it was cut', () => {
  const whole = lines(1, 100);
  for (const at of [0, 3, 17, 18, 150, whole.length - 2, whole.length]) {
    const pieces = [whole.slice(0, at), whole.slice(at)];
    expect(clip(pieces, 5, 3), String(at)).toEqual({ head: lines(1, 5), hidden: 92, tail: lines(98, 100) });
  }
  expect(clip([`${whole}last`], 5, 3)).toEqual({ head: lines(1, 5), hidden: 93, tail: '99\n100\nlast' });
  expect(clip([lines(1, 10)], 5, 3)).toEqual({ head: lines(1, 10), hidden: 0, tail: '' });
  expect(clip([], 5, 3)).toEqual({ head: '', hidden: 0, tail: '' });
});

test('an endless line is cut', () => {
  const endless = `a\n${'x'.repeat(5_000)}\nb`;
  expect(shortenLines(endless)).toBe(`a\n${'x'.repeat(2_000)} …\nb`);
  expect(hasLongLine(endless)).toBe(true);
  expect(hasLongLine('x\n'.repeat(5_000))).toBe(false);
});
