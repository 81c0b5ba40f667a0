import { textEdits } from '@atoll/notebook';
import { closeBrackets, closeBracketsKeymap, completionStatus } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from '@codemirror/commands';
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language';
import { highlightSelectionMatches } from '@codemirror/search';
import { Compartment, EditorState, type Extension, Text, Transaction } from '@codemirror/state';
import {
  dropCursor,
  EditorView,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  rectangularSelection,
  tooltips,
} from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { onlyReading } from '../../../ui/editor/extensions.ts';
import { selection } from '../../../ui/editor/selection.ts';
import { typed } from '../../../ui/editor/typed.ts';
import { useMode } from '../../../ui/theme/theme-context.tsx';
import { useLobby } from '../../collaboration/lobby-context.tsx';
import { shareCursors } from '../../collaboration/share-cursors.ts';
import { cursorOf } from '../commands.ts';
import { useNotebook, useSignal } from '../notebook-context.tsx';
import { cellTheme } from './cell-theme.ts';
import { codeHelp } from './code-help.ts';
import { foundMark, showFound } from './found-mark.ts';

interface CellEditorProps {
  id: string;
  label: string;
  language: Extension | null;
  isReadOnly: boolean;
  isEditing: boolean;
  isWrapped: boolean;
  hasNumbers: boolean;
  onPaste?(event: ClipboardEvent, view: EditorView): boolean;
}

const remote = [Transaction.remote.of(true), Transaction.addToHistory.of(false)];
const numbers = (isOn: boolean): Extension => (isOn ? lineNumbers() : []);

/** The editor of a cell: created when a person begins to write in it, and kept from then on with its undo history. */
export default function CellEditor(props: CellEditorProps) {
  const { id, label, language, isReadOnly, isEditing, isWrapped, hasNumbers } = props;
  const { store, ui, fileId } = useNotebook();
  const lobby = useLobby();
  const { mode } = useMode();
  const holder = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(null);
  const parts = useRef({
    language: new Compartment(),
    look: new Compartment(),
    access: new Compartment(),
    numbers: new Compartment(),
    company: new Compartment(),
  }).current;
  const latest = useRef(props);
  latest.current = props;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the rest is changed below without starting over.
  useEffect(() => {
    if (!holder.current) return;
    const view = new EditorView({
      parent: holder.current,
      state: EditorState.create({
        doc: store.sourceOf(id),
        extensions: [
          parts.access.of(isReadOnly ? onlyReading : []),
          parts.numbers.of(numbers(hasNumbers)),
          parts.company.of([]),
          highlightSpecialChars(),
          history(),
          selection,
          typed,
          dropCursor(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          rectangularSelection(),
          highlightSelectionMatches({ minSelectionLength: 2 }),
          indentUnit.of('    '),
          // The tooltips are in the body, because a cell clips its overflow.
          tooltips({ parent: document.body, position: 'fixed' }),
          isWrapped ? EditorView.lineWrapping : [],
          codeHelp(store, () => store.getCell(id)?.type ?? 'raw'),
          foundMark,
          keymap.of([
            { key: 'ArrowUp', run: (target) => leaveAt(target, -1) },
            { key: 'ArrowDown', run: (target) => leaveAt(target, 1) },
            { key: 'Tab', run: indentMore },
            { key: 'Shift-Tab', run: indentLess },
            ...closeBracketsKeymap,
            ...historyKeymap,
            ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter' && key !== 'Escape'),
          ]),
          parts.language.of(language ?? []),
          parts.look.of(cellTheme(mode === 'dark')),
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '-1' }),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged || update.transactions.every((each) => each.annotation(Transaction.remote))) return;
            store.type(id, update.state.sliceDoc());
          }),
          EditorView.domEventHandlers({
            focus: () => {
              if (ui.getActive() !== id || ui.getMode() !== 'edit') ui.focus(id, 'edit');
              cursorOf(() => editor.current?.state.selection.main.head ?? null);
            },
            blur: (_, target) => left(target),
            paste: (event, target) => latest.current.onPaste?.(event, target) ?? false,
          }),
        ],
      }),
    });
    editor.current = view;
    // Applied before the next key, because that would otherwise be typed over an outdated text.
    const stopHearing = store.subscribe(`cell:${id}`, () => showThere(view));
    return () => {
      stopHearing();
      editor.current = null;
      store.release(id);
      view.destroy();
    };

    /** Shows edits of others and undone edits; cursors and the undo history keep their positions in the text. */
    function showThere(target: EditorView): void {
      const [before, wanted] = [target.state.doc.toString(), target.state.toText(store.sourceOf(id)).toString()];
      if (before === wanted) return;
      const changes = textEdits(before, wanted).map(({ insert, ...place }) => ({
        ...place,
        insert: Text.of(insert.split('\n')),
      }));
      target.dispatch({ changes, annotations: remote });
    }

    /** Leaves the cell: Up in the first line goes to the cell above, as in Jupyter. */
    function leaveAt(target: EditorView, step: -1 | 1): boolean {
      const { main, ranges } = target.state.selection;
      if (ranges.length > 1 || !main.empty || completionStatus(target.state) === 'active') return false;
      const line = target.state.doc.lineAt(main.head).number;
      if (line !== (step < 0 ? 1 : target.state.doc.lines)) return false;
      // A wrapped line has several visual rows.
      if (target.moveVertically(main, step > 0).head !== (step < 0 ? 0 : target.state.doc.length) && isWrapped)
        return false;
      const order = store.getOrder();
      const next = order[order.indexOf(id) + step];
      if (next === undefined) return false;
      const type = store.getCell(next)?.type;
      const isWritten = type === 'code' || type === 'sql' || type === 'raw';
      ui.focus(next, isWritten ? 'edit' : 'command', { cursor: step < 0 ? 'end' : 'start' });
      return true;
    }

    function left(target: EditorView): boolean {
      store.flush();
      // The window lost the focus, not the cell.
      if (!document.hasFocus()) return false;
      store.release(id);
      setTimeout(() => {
        const isElsewhere = !target.dom.contains(document.activeElement);
        if (isElsewhere && ui.getActive() === id && ui.getMode() === 'edit') ui.focus(id, 'command');
      });
      return false;
    }
  }, [id, store, ui]);

  useEffect(() => {
    editor.current?.dispatch({ effects: parts.access.reconfigure(isReadOnly ? onlyReading : []) });
  }, [isReadOnly, parts]);
  useEffect(() => {
    editor.current?.dispatch({ effects: parts.numbers.reconfigure(numbers(hasNumbers)) });
  }, [hasNumbers, parts]);
  useEffect(() => {
    editor.current?.dispatch({ effects: parts.language.reconfigure(language ?? []) });
  }, [language, parts]);
  useEffect(() => {
    editor.current?.dispatch({ effects: parts.look.reconfigure(cellTheme(mode === 'dark')) });
  }, [mode, parts]);
  useEffect(() => {
    if (!lobby) return;
    editor.current?.dispatch({ effects: parts.company.reconfigure(shareCursors(lobby, fileId, id)) });
  }, [lobby, fileId, id, parts]);

  useEffect(() => {
    const view = editor.current;
    if (!view || !isEditing) return;
    const { cursor } = ui;
    ui.cursor = null;
    const length = view.state.doc.length;
    if (cursor) {
      const place =
        cursor === 'start'
          ? { anchor: 0 }
          : cursor === 'end'
            ? { anchor: length }
            : { anchor: Math.min(cursor.anchor, length), head: Math.min(cursor.head, length) };
      view.dispatch({ selection: place, scrollIntoView: true });
    }
    if (!view.hasFocus) view.focus();
  }, [isEditing, ui]);

  const found = useSignal(ui, `found:${id}`, () => ui.getFound());
  useEffect(() => {
    const view = editor.current;
    if (!view) return;
    view.dispatch({ effects: showFound.of(found?.id === id ? found : null) });
  }, [found, id]);

  return <div ref={holder} />;
}
