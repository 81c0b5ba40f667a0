import { extensionOf } from '@atoll/contract/projects/kinds';
import { Compartment, EditorState, Text, Transaction } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { useLoadedFeatures } from '../../../platform/features/registry.ts';
import classes from '../../../ui/editor/editor.module.css';
import {
  indentation,
  lineEndings,
  onlyReading,
  readingExtensions,
  undoing,
  writingExtensions,
} from '../../../ui/editor/extensions.ts';
import { loadLanguage } from '../../../ui/editor/languages.ts';
import { textChange } from '../../../ui/editor/text-change.ts';
import { editorTheme } from '../../../ui/editor/theme.ts';
import { useMode } from '../../../ui/theme/theme-context.tsx';
import { useLobby } from '../../collaboration/lobby-context.tsx';
import { shareCursors } from '../../collaboration/share-cursors.ts';
import { useEpoch } from '../documents.ts';
import type { OpenDocument } from './document.ts';

interface Kept {
  epoch: number;
  state: EditorState;
}

/** Undo and the cursor survive going to another tab and back. */
const kept = new WeakMap<OpenDocument, Kept>();
const language = new Compartment();
const look = new Compartment();
const access = new Compartment();
const company = new Compartment();
const help = new Compartment();
const accessTo = (isReadOnly: boolean) => (isReadOnly ? onlyReading : writingExtensions);

interface CodeEditorProps {
  document: OpenDocument;
  name: string;
  isReadOnly: boolean;
  /** Called when this person types. */
  onType?(): void;
}

export function CodeEditor({ document, name, isReadOnly, onType }: CodeEditorProps) {
  const { mode } = useMode();
  const features = useLoadedFeatures();
  const lobby = useLobby();
  const epoch = useEpoch(document);
  const holder = useRef<HTMLDivElement>(null);
  const shown = useRef<EditorView>(null);
  const typed = useRef(onType);
  typed.current = onType;
  const isDark = mode === 'dark';

  // biome-ignore lint/correctness/useExhaustiveDependencies: the rest is changed below without starting over.
  useEffect(() => {
    if (!holder.current) return;
    const before = kept.get(document);
    const isSame = before?.epoch === document.epoch && before.state.sliceDoc() === document.text;
    const view = new EditorView({ state: before && isSame ? before.state : create(), parent: holder.current });
    view.dispatch({ effects: [access.reconfigure(accessTo(isReadOnly)), look.reconfigure(editorTheme(isDark))] });
    shown.current = view;
    let isGone = false;
    void loadLanguage(name).then((loaded) => {
      if (!isGone) view.dispatch({ effects: language.reconfigure(loaded) });
    });
    const found = features
      .flatMap(({ loaded }) => loaded.codeHelp ?? [])
      .find(({ extensions, isFor }) => extensions.includes(extensionOf(name)) && isFor(document.text));
    void found?.load(name).then((loaded) => {
      if (!isGone) view.dispatch({ effects: help.reconfigure(loaded) });
    });
    return () => {
      isGone = true;
      shown.current = null;
      kept.set(document, { epoch: document.epoch, state: view.state });
      view.destroy();
      void document.save();
    };

    function create(): EditorState {
      return EditorState.create({
        doc: document.text,
        extensions: [
          access.of([]),
          readingExtensions(`Text of ${name}`),
          undoing,
          lineEndings(document.text),
          indentation(name),
          language.of([]),
          look.of([]),
          company.of([]),
          help.of([]),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged) return;
            if (update.transactions.every((each) => each.annotation(Transaction.remote))) return;
            document.edit(update.state.sliceDoc());
            typed.current?.();
          }),
          EditorView.domEventHandlers({ blur: () => void document.save() }),
        ],
      });
    }
  }, [document, name]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the epoch that says that the text is another one.
  useEffect(() => {
    const view = shown.current;
    if (!view || view.state.sliceDoc() === document.text) return;
    // Positions count one character for an end of line, whichever the file has.
    const next = view.state.toText(document.text).toString();
    const { insert, ...place } = textChange(view.state.doc.toString(), next);
    view.dispatch({ changes: { ...place, insert: Text.of(insert.split('\n')) }, annotations: remote });
  }, [document, epoch]);

  useEffect(() => {
    shown.current?.dispatch({ effects: access.reconfigure(accessTo(isReadOnly)) });
  }, [isReadOnly]);

  useEffect(() => {
    shown.current?.dispatch({ effects: look.reconfigure(editorTheme(isDark)) });
  }, [isDark]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another name starts the editor over.
  useEffect(() => {
    const view = shown.current;
    if (!view || !lobby) return;
    view.dispatch({ effects: company.reconfigure(shareCursors(lobby, document.file.id)) });
    return () => lobby.move(null);
  }, [lobby, document, name]);

  return <div ref={holder} className={classes.editor} />;
}

/** A change from outside: it is neither saved again nor undone. */
const remote = [Transaction.remote.of(true), Transaction.addToHistory.of(false)];
