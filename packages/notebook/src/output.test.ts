import { describe, expect, test } from 'vitest';
import { collect, foldLine, nothingCollected, type OutputChange } from './output.ts';

const text = (said: string, name = 'stdout') => ({ type: 'stream', content: { name, text: said } });
const shown = (value: string, id?: string) => ({
  type: 'display_data',
  content: { data: { 'text/plain': value }, metadata: {}, ...(id ? { transient: { display_id: id } } : {}) },
});

function collected(messages: { type: string; content: Record<string, unknown> }[], mask?: (text: string) => string) {
  const state = nothingCollected();
  const changes: OutputChange[] = messages.flatMap((message) => collect(state, message, mask));
  return { outputs: state.outputs.map(({ output }) => output), changes };
}

describe('What a cell shows', () => {
  test('is one text for what is printed in pieces, and another for errors', () => {
    const { outputs, changes } = collected([text('a'), text('b\n'), text('!', 'stderr'), text('c')]);
    expect(outputs).toEqual([
      { output_type: 'stream', name: 'stdout', text: 'ab\n' },
      { output_type: 'stream', name: 'stderr', text: '!' },
      { output_type: 'stream', name: 'stdout', text: 'c' },
    ]);
    expect(changes.slice(0, 2)).toEqual([
      { type: 'set', index: 0, output: { output_type: 'stream', name: 'stdout', text: 'a' }, display_id: null },
      { type: 'append', index: 0, at: 1, text: 'b\n' },
    ]);
  });

  test('shows progress bars as a terminal does', () => {
    expect(foldLine('10%\r20%\r100%')).toBe('100%');
    expect(foldLine('long line\rshort')).toBe('shortline');
    expect(foldLine('one\r\ntwo')).toBe('one\ntwo');
    expect(foldLine('ab\bc')).toBe('ac');
    const { outputs, changes } = collected([text('start\n10%'), text('\r'), text('20%'), text('\r\n')]);
    expect(outputs).toEqual([{ output_type: 'stream', name: 'stdout', text: 'start\n20%\n' }]);
    expect(changes.map(({ type }) => type)).toEqual(['set', 'append', 'set', 'append']);
  });

  test('continues in another output when it is long', () => {
    const { outputs } = collected(Array.from({ length: 50 }, () => text(`${'x'.repeat(999)}\n`)));
    expect(outputs.length).toBe(2);
    expect(outputs.map((output) => ('text' in output ? output.text : '')).join('')).toHaveLength(50_000);
  });

  test('masks a secret that came in two pieces, however long the text', () => {
    const mask = (said: string) => said.replaceAll('hunter2', '•••');
    const long = `${'x'.repeat(99)}\n`.repeat(400);
    const { outputs } = collected([text(`${long}it is hun`), text('ter2\n'), text('and more')], mask);
    expect(outputs.map((output) => ('text' in output ? output.text : ''))).toEqual([`${long}it is •••\n`, 'and more']);
  });

  test('can be cleared at once or with the next', () => {
    expect(collected([text('a'), { type: 'clear_output', content: { wait: false } }]).outputs).toEqual([]);
    const waiting = collected([text('a'), { type: 'clear_output', content: { wait: true } }]);
    expect(waiting.outputs).toHaveLength(1);
    const after = collected([text('a'), { type: 'clear_output', content: { wait: true } }, text('b')]);
    expect(after.outputs).toEqual([{ output_type: 'stream', name: 'stdout', text: 'b' }]);
    expect(after.changes.map(({ type }) => type)).toEqual(['set', 'clear', 'set']);
  });

  test('changes displays by their id', () => {
    const update = { ...shown('2', 'one'), type: 'update_display_data' };
    const { outputs, changes } = collected([shown('1', 'one'), shown('x'), update]);
    expect(outputs).toMatchObject([{ data: { 'text/plain': '2' } }, { data: { 'text/plain': 'x' } }]);
    expect(changes.at(-1)).toMatchObject({ type: 'set', index: 0 });
  });

  test('has no secret in its error message', () => {
    const mask = (said: string) => said.replaceAll('hunter2', '•••');
    const metadata = { 'image/png': { alt: 'hunter2', list: ['hunter2'] } };
    const content = { data: {}, metadata, transient: { display_id: 'one' } };
    const types = ['display_data', 'execute_result', 'update_display_data'];
    for (const type of types) {
      const { outputs, changes } = collected([shown('x', 'one'), { type, content }], mask);
      expect(outputs.at(-1)).toMatchObject({ metadata: { 'image/png': { alt: '•••', list: ['•••'] } } });
      expect(JSON.stringify(changes)).not.toContain('hunter2');
    }
  });

  test('never shows a secret, also when it came in two pieces', () => {
    const mask = (said: string) => said.replaceAll('hunter2', '•••');
    const { outputs } = collected(
      [
        text('key: hun'),
        text('ter2!\n'),
        shown('hunter2'),
        { type: 'error', content: { ename: 'hunter2', evalue: 'hunter2', traceback: ['x hunter2'] } },
        {
          type: 'display_data',
          content: { data: { 'application/json': { hunter2: ['hunter2'] }, 'image/png': 'hunter2' } },
        },
      ],
      mask,
    );
    const { 'image/png': picture, ...rest } = (outputs[3] as { data: Record<string, unknown> }).data;
    expect(picture).toBe('hunter2');
    expect(JSON.stringify([...outputs.slice(0, 3), rest])).not.toContain('hunter2');
    expect(outputs[0]).toMatchObject({ text: 'key: •••!\n' });
  });
});
