import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { replacesSelection } from './typed.ts';

/** Positions in the page are those in the text here. */
const posAtDOM = (_node: Node, offset = 0) => offset;
const range = (startOffset: number, endOffset: number) =>
  ({ startContainer: {}, startOffset, endContainer: {}, endOffset }) as unknown as StaticRange;
const isFor = (
  selection: { anchor: number; head: number },
  told: StaticRange[],
  selected: StaticRange | null = range(selection.anchor, selection.head),
) => {
  const getSelection = () => ({ rangeCount: selected ? 1 : 0, getRangeAt: () => selected });
  const dom = { ownerDocument: { getSelection } } as unknown as HTMLElement;
  return replacesSelection(
    { getTargetRanges: () => told },
    { posAtDOM, dom, state: EditorState.create({ doc: 'cafe noir', selection }) },
  );
};

test('what is typed belongs to the selection, whichever way it was made', () => {
  expect(isFor({ anchor: 4, head: 4 }, [range(4, 4)])).toBe(true);
  expect(isFor({ anchor: 4, head: 1 }, [range(1, 4)])).toBe(true);
});

test('where the browser does not tell what is replaced, it is what is selected in the page', () => {
  expect(isFor({ anchor: 4, head: 4 }, [], range(4, 4))).toBe(true);
  expect(isFor({ anchor: 4, head: 1 }, [], range(1, 4))).toBe(true);
  expect(isFor({ anchor: 4, head: 4 }, [], range(3, 4))).toBe(false);
  expect(isFor({ anchor: 4, head: 4 }, [], null)).toBe(false);
});

test('an accent, a full stop after two spaces and what has two places are left to the browser', () => {
  expect(isFor({ anchor: 4, head: 4 }, [range(3, 4)])).toBe(false);
  expect(isFor({ anchor: 5, head: 5 }, [range(4, 5)])).toBe(false);
  expect(isFor({ anchor: 4, head: 4 }, [range(4, 4), range(6, 6)])).toBe(false);
});
