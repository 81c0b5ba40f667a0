import { type KeyboardEvent, useRef } from 'react';
import { match } from '../commands.ts';
import { isHelpOpenIn } from '../editor/code-help.ts';
import { pairMs, pressed } from '../keys.ts';
import { useNotebook } from '../notebook-context.tsx';

/** Keys that work anywhere in the list of cells, on buttons, too. */
const isForAll = /^(Mod|Ctrl|Alt|Meta|Shift\+Enter|Escape)/;

/** Handles the notebook's keys: letters are commands only outside of text fields. */
export function useKeys() {
  const { store, ui } = useNotebook();
  const before = useRef<{ press: string; at: number } | null>(null);
  return (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.key === 'Shift' || event.key === 'Control' || event.key === 'Meta')
      return;
    const target = event.target as HTMLElement;
    const editor = target.closest('.cm-editor');
    // Fields of a form and the panels beside have keys of their own.
    if (
      !editor &&
      (target.closest('input, textarea, select, [role="menu"], [role="dialog"], [role="slider"]') ||
        !target.closest('[data-keys]'))
    )
      return;
    const isButton = target.closest('button, a, [role="button"], iframe') !== null;
    const mode = editor ? 'edit' : 'command';
    const press = pressed(event.nativeEvent);
    // A focused button is no chosen cell: a sentence typed there would run as commands.
    if (isButton && !isForAll.test(press)) return;
    if (editor && (press === 'Escape' || press === 'Enter') && isHelpOpenIn(editor)) return;
    const { current } = before;
    const first = current && Date.now() - current.at < pairMs ? current.press : null;
    const found = match(press, first, mode);
    before.current = found === 'waits' ? { press, at: Date.now() } : null;
    if (found === null) return;
    event.preventDefault();
    event.stopPropagation();
    if (found !== 'waits') found.run({ store, ui });
  };
}
