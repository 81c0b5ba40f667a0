import { Compartment, EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { useMode } from '../../../ui/theme-context.tsx';
import type { OpenDocument } from '../document.ts';
import { useEpoch } from '../documents.ts';
import classes from './editor.module.css';
import { indentation, lineEndings, readingExtensions, writingExtensions } from './extensions.ts';
import { loadLanguage } from './languages.ts';
import { editorTheme } from './theme.ts';

interface Kept {
  epoch: number;
  state: EditorState;
}

/** Undo and the cursor survive going to another tab and back. */
const kept = new WeakMap<OpenDocument, Kept>();
const language = new Compartment();
const look = new Compartment();

interface CodeEditorProps {
  document: OpenDocument;
  name: string;
  isReadOnly: boolean;
}

export function CodeEditor({ document, name, isReadOnly }: CodeEditorProps) {
  const { mode } = useMode();
  const epoch = useEpoch(document);
  const holder = useRef<HTMLDivElement>(null);
  const shown = useRef<EditorView>(null);
  const isDark = mode === 'dark';

  // biome-ignore lint/correctness/useExhaustiveDependencies: the look is changed below without starting over.
  useEffect(() => {
    if (!holder.current) return;
    const before = kept.get(document);
    const isSame = before?.epoch === epoch && before.state.sliceDoc() === document.text;
    const state = before && isSame && !isReadOnly ? before.state : create();
    const view = new EditorView({ state, parent: holder.current });
    shown.current = view;
    let isGone = false;
    void loadLanguage(name).then((loaded) => {
      if (!isGone) view.dispatch({ effects: language.reconfigure(loaded) });
    });
    return () => {
      isGone = true;
      kept.set(document, { epoch, state: view.state });
      view.destroy();
      void document.save();
    };

    function create(): EditorState {
      return EditorState.create({
        doc: document.text,
        extensions: [
          readingExtensions(`Text of ${name}`, isReadOnly),
          isReadOnly ? [] : writingExtensions,
          lineEndings(document.text),
          indentation(name),
          language.of([]),
          look.of(editorTheme(isDark)),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) document.edit(update.state.sliceDoc());
          }),
          EditorView.domEventHandlers({ blur: () => void document.save() }),
        ],
      });
    }
  }, [document, epoch, name, isReadOnly]);

  useEffect(() => {
    shown.current?.dispatch({ effects: look.reconfigure(editorTheme(isDark)) });
  }, [isDark]);

  return <div ref={holder} className={classes.editor} />;
}
