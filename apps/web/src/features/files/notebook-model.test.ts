import { describe, expect, it } from 'vitest';
import { parseNotebook } from './notebook-model.ts';

const notebook = (cells: unknown[]) => JSON.stringify({ cells, nbformat: 4 });

describe('a notebook', () => {
  it('is read with what its cells last showed', () => {
    const outputs = [{ output_type: 'stream', name: 'stdout', text: ['a'] }];
    const cells = parseNotebook(
      notebook([
        { cell_type: 'markdown', source: ['# A\n', 'b'] },
        { cell_type: 'code', id: 'one', source: 'x', execution_count: 3, outputs },
      ]),
    );
    expect(cells).toEqual([
      { id: null, kind: 'markdown', source: '# A\nb', count: null, outputs: undefined },
      { id: 'one', kind: 'code', source: 'x', count: 3, outputs },
    ]);
  });

  it('accepts any content without breaking the page', () => {
    for (const text of ['', '[]', 'null', '{"cells":3}', notebook([null, 1, { outputs: [{ data: 4 }] }])]) {
      expect(() => parseNotebook(text)).not.toThrow();
    }
    expect(parseNotebook('{"cells":3}')).toBeNull();
  });
});
