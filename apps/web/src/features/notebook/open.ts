import type { Command } from './commands.ts';
import type { OpenNotebook } from './notebook-context.tsx';

interface Opened {
  notebook: OpenNotebook;
  /** The commands of the view that shows it. */
  commands: readonly Command[];
}

let open: Opened | null = null;
const listeners = new Set<() => void>();

/** The notebook on the screen, for parts outside of it: the command palette and the versions. */
export const getOpenNotebook = (): Opened | null => open;

export function setOpenNotebook(opened: Opened | null): void {
  open = opened;
  for (const listener of listeners) listener();
}

export function onOpenNotebook(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
