import type { OpenNotebook } from './components/notebook-context.tsx';

let open: OpenNotebook | null = null;
const listeners = new Set<() => void>();

/** The notebook on the screen, for what stands outside of it: the command palette and the versions. */
export const getOpenNotebook = (): OpenNotebook | null => open;

export function setOpenNotebook(notebook: OpenNotebook | null): void {
  open = notebook;
  for (const listener of listeners) listener();
}

export function onOpenNotebook(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
