import { type Extension, Text } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/** Keyboards on glass guess words, and lose track when they are not let to write by themselves. */
let glass: MediaQueryList | undefined;
function isTouched(): boolean {
  glass ??= window.matchMedia('(any-pointer: coarse)');
  return glass.matches;
}

/**
 * What is typed goes straight into the text. Otherwise the browser writes it into the page, the editor finds out what has
 * changed there and draws it anew, which takes a fifth longer. Only where it is plain what is meant: not while a character is
 * being composed, and not where something else than the selection is replaced, as an accent replaces its letter.
 */
export const typed: Extension = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { data, inputType, isComposing, cancelable } = event;
    if (inputType !== 'insertText' || !data || !cancelable || view.state.readOnly) return false;
    if (isComposing || view.compositionStarted || isTouched() || !replacesSelection(event, view)) return false;
    const { from, to } = view.state.selection.main;
    const text = Text.of(data.split(/\r\n?|\n/));
    const insert = () =>
      view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true });
    const handlers = view.state.facet(EditorView.inputHandler);
    if (!handlers.some((handle) => handle(view, from, to, data, insert))) view.dispatch(insert());
    return true;
  },
});

/** Chromium does not tell what is replaced where only plain text can be written; it selects it before. */
export function replacesSelection(
  event: Pick<InputEvent, 'getTargetRanges'>,
  view: Pick<EditorView, 'posAtDOM' | 'state' | 'dom'>,
): boolean {
  const told = event.getTargetRanges();
  const selected = view.dom.ownerDocument.getSelection();
  const [range, ...others] = told.length > 0 ? told : selected?.rangeCount ? [selected.getRangeAt(0)] : [];
  if (!range || others.length > 0) return false;
  const { from, to } = view.state.selection.main;
  return (
    view.posAtDOM(range.startContainer, range.startOffset) === from &&
    view.posAtDOM(range.endContainer, range.endOffset) === to
  );
}
