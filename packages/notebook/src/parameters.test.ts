import { describe, expect, test } from 'vitest';
import { readNotebook } from './file/read.ts';
import { NoParameters, parametersIn, withParameters } from './parameters.ts';

const code = (id: string, source: string, ...tags: string[]) => ({
  ...{ cell_type: 'code', id, source, execution_count: 1, outputs: [] },
  metadata: tags.length > 0 ? { tags } : {},
});
const file = (cells: object[], language = 'python') =>
  JSON.stringify({ cells, metadata: { language_info: { name: language } }, nbformat: 4, nbformat_minor: 5 });
const cellsOf = (text: string) => readNotebook(text).cells.map(({ id, source }) => [id, source]);

describe('parameters', () => {
  test('are set after the tagged cell, and replace those of an earlier run', () => {
    const cells = [code('a', 'import x'), code('b', 'n = 1', 'parameters'), code('c', 'n')];
    const once = withParameters(file(cells), { n: 2, name: 'a "b"\n', on: true, off: false, none: null });
    const set = 'n = 2\nname = "a \\"b\\"\\n"\non = True\noff = False\nnone = None';
    expect(cellsOf(once)).toEqual([
      ['a', 'import x'],
      ['b', 'n = 1'],
      ['injected-parameters', set],
      ['c', 'n'],
    ]);
    expect(cellsOf(withParameters(once, { n: 3 }))[2]).toEqual(['injected-parameters', 'n = 3']);
  });

  test('are set first where no cell is tagged, in the language of the notebook', () => {
    expect(cellsOf(withParameters(file([code('a', 'n')], 'R'), { n: true }))[0]?.[1]).toBe('n <- TRUE');
    expect(cellsOf(withParameters(file([], 'julia'), { n: '$HOME' }))[0]?.[1]).toBe('n = "\\$HOME"');
    expect(() => withParameters(file([], 'bash'), { n: 1 })).toThrow(NoParameters);
  });

  test('are read from the tagged cell, if they are plain values', () => {
    const source = `# settings
rate: float = 0.5  # a share
name = 'it\\'s'
count = 1_000
on = True
none = None
made = make()
`;
    const { cells } = readNotebook(file([code('a', 'n = 9'), code('b', source, 'parameters')]));
    expect(parametersIn(cells)).toEqual({ rate: 0.5, name: "it's", count: 1000, on: true, none: null });
    expect(parametersIn([])).toEqual({});
  });
});
