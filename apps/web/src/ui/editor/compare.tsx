import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { useMode } from '../theme/theme-context.tsx';
import { useIsNarrow } from '../use-is-narrow.ts';
import classes from './editor.module.css';
import { lineEndings, onlyReading, readingExtensions, undoing, writingExtensions } from './extensions.ts';
import { loadLanguage } from './languages.ts';
import { editorTheme } from './theme.ts';

interface CompareProps {
  name: string;
  left: string;
  right: string;
  leftLabel: string;
  rightLabel: string;
  /** With it the right side can be edited, and takes parts of the left one at a press. */
  onChange?(text: string): void;
}

/** Two texts side by side, or one in the other where there is no room for both. */
export function Compare({ name, left, right, leftLabel, rightLabel, onChange }: CompareProps) {
  const holder = useRef<HTMLDivElement>(null);
  const changed = useRef(onChange);
  changed.current = onChange;
  const { mode } = useMode();
  const isNarrow = useIsNarrow();
  const isFixed = !onChange;

  useEffect(() => {
    let view: { destroy(): void } | null = null;
    let isGone = false;
    void loadLanguage(name).then((language) => {
      if (isGone || !holder.current) return;
      const shared: Extension = [language, editorTheme(mode === 'dark'), EditorView.lineWrapping];
      const leftSide = [readingExtensions(leftLabel), onlyReading, shared];
      const rightSide = [
        readingExtensions(rightLabel),
        isFixed ? onlyReading : [undoing, writingExtensions],
        lineEndings(right),
        shared,
        EditorView.updateListener.of((update) => {
          if (update.docChanged) changed.current?.(update.state.sliceDoc());
        }),
      ];
      if (isNarrow) {
        const unified = unifiedMergeView({
          original: left,
          mergeControls: isFixed ? false : chunkButton,
          collapseUnchanged: {},
        });
        const state = EditorState.create({ doc: right, extensions: [rightSide, unified] });
        view = new EditorView({ state, parent: holder.current });
        return;
      }
      view = new MergeView({
        a: { doc: left, extensions: leftSide },
        b: { doc: right, extensions: rightSide },
        parent: holder.current,
        revertControls: isFixed ? undefined : 'a-to-b',
        collapseUnchanged: { margin: 4, minSize: 8 },
        gutter: true,
      });
    });
    return () => {
      isGone = true;
      view?.destroy();
    };
  }, [name, left, right, leftLabel, rightLabel, isFixed, isNarrow, mode]);

  return <div ref={holder} className={classes.compare} />;
}

/** To accept a change keeps what is mine there; to reject it takes the other text. */
function chunkButton(type: 'reject' | 'accept', act: (event: MouseEvent) => void): HTMLElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = type === 'accept' ? 'Mine' : 'Theirs';
  button.onmousedown = act;
  return button;
}
