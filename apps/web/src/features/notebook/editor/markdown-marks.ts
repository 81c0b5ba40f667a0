import type { EditorState, TransactionSpec } from '@codemirror/state';

/** Adds a mark around the selection or removes it; without a selection the cursor is between the marks then. */
export function toggleMark(state: EditorState, mark: string): TransactionSpec {
  const { from, to } = state.selection.main;
  const size = mark.length;
  const isAround =
    from >= size &&
    state.sliceDoc(from - size, from) === mark &&
    state.sliceDoc(to, to + size) === mark &&
    // Two stars are bold, not a pair of single stars.
    !(size === 1 && state.sliceDoc(from - 2, from - 1) === mark);
  const changes = isAround
    ? [
        { from: from - size, to: from },
        { from: to, to: to + size },
      ]
    : [
        { from, insert: mark },
        { from: to, insert: mark },
      ];
  const step = isAround ? -size : size;
  return { changes, selection: { anchor: from + step, head: to + step }, userEvent: 'input' };
}

const prefixes = /^(#{1,6} |[-*] |\d+\. |> )/;

/** Begins each selected line with a prefix, or removes it where all lines have it; it replaces another prefix. */
export function toggleLines(state: EditorState, prefix: (index: number) => string): TransactionSpec {
  const { from, to } = state.selection.main;
  const [first, last] = [state.doc.lineAt(from).number, state.doc.lineAt(to).number];
  const lines = Array.from({ length: last - first + 1 }, (_, index) => state.doc.line(first + index));
  const isOn = lines.every(({ text }, index) => text.startsWith(prefix(index)));
  const changes = lines.map((line, index) => {
    const before = prefixes.exec(line.text)?.[0] ?? '';
    return { from: line.from, to: line.from + before.length, insert: isOn ? '' : prefix(index) };
  });
  return { changes, userEvent: 'input' };
}

/** Makes a link of the selection, with its address to be typed. */
export function insertLink(state: EditorState): TransactionSpec {
  const { from, to } = state.selection.main;
  const words = state.sliceDoc(from, to) || 'text';
  const at = from + words.length + 3;
  return {
    changes: { from, to, insert: `[${words}](https://)` },
    selection: { anchor: at, head: at + 'https://'.length },
    userEvent: 'input',
  };
}
