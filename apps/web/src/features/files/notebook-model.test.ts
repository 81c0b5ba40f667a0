import { describe, expect, it } from 'vitest';
import { parseNotebook } from './notebook-model.ts';

const notebook = (cells: unknown[]) => JSON.stringify({ cells, nbformat: 4 });

describe('a notebook', () => {
  it('is read with its outputs, safest form first', () => {
    const cells = parseNotebook(
      notebook([
        { cell_type: 'markdown', source: ['# A\n', 'b'] },
        {
          cell_type: 'code',
          source: 'x',
          execution_count: 3,
          outputs: [
            { output_type: 'stream', name: 'stdout', text: ['\u001B[31mred\u001B[0m'] },
            { output_type: 'display_data', data: { 'image/png': 'AA\nBB', 'text/html': '<b>' } },
            { output_type: 'execute_result', data: { 'text/html': ['<table>', '</table>'], 'text/plain': 't' } },
            { output_type: 'error', traceback: ['one', 'two'] },
          ],
        },
      ]),
    );
    expect(cells).toEqual([
      { kind: 'markdown', source: '# A\nb', count: null, outputs: [] },
      {
        kind: 'code',
        source: 'x',
        count: 3,
        outputs: [
          { kind: 'text', text: 'red', isError: false },
          { kind: 'image', address: 'data:image/png;base64,AABB' },
          { kind: 'html', html: '<table></table>' },
          { kind: 'text', text: 'one\ntwo', isError: true },
        ],
      },
    ]);
  });

  it('may be anything at all without breaking the page', () => {
    for (const text of ['', '[]', 'null', '{"cells":3}', notebook([null, 1, { outputs: [{ data: 4 }] }])]) {
      expect(() => parseNotebook(text)).not.toThrow();
    }
    expect(parseNotebook('{"cells":3}')).toBeNull();
  });
});
