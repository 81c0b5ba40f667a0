import type { CellLock, CellShown, DocumentCell, NotebookKernel, QueuedCell } from '@atoll/contract';
import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';
import type { Signals } from './signals.ts';
import type { Saving } from './store/saving.ts';
import type { NotebookStore } from './store.ts';
import type { NotebookUi } from './ui-state.ts';

export interface OpenNotebook {
  store: NotebookStore;
  ui: NotebookUi;
  projectId: string;
  fileId: string;
  /** The name of the file, which determines the kind of document. */
  name: string;
}

export const NotebookContext = createContext<OpenNotebook | null>(null);

export function useNotebook(): OpenNotebook {
  const notebook = useContext(NotebookContext);
  if (!notebook) throw new Error('Used outside of a notebook');
  return notebook;
}

/** Draws the component again when this one signal changes. */
export function useSignal<Value>(signals: Signals, key: string, get: () => Value): Value {
  const subscribe = useCallback((listener: () => void) => signals.subscribe(key, listener), [signals, key]);
  return useSyncExternalStore(subscribe, get);
}

export function useCell(id: string): DocumentCell | undefined {
  const { store } = useNotebook();
  return useSignal(store, `cell:${id}`, () => store.getCell(id));
}

/** The cell, without drawing again when only its text changes. */
export function useCellFrame(id: string): DocumentCell | undefined {
  const { store } = useNotebook();
  return useSignal(store, `frame:${id}`, () => store.getCell(id));
}

export function useShown(id: string): CellShown {
  const { store } = useNotebook();
  return useSignal(store, `shown:${id}`, () => store.getShown(id));
}

export function useQueued(id: string): { entry: QueuedCell | null; place: number; isAsked: boolean } {
  const { store } = useNotebook();
  const queued = useSignal(store, `queue:${id}`, () => store.getQueued(id));
  const isAsked = useSignal(store, `queue:${id}`, () => store.isAsked(id));
  return { entry: queued?.entry ?? null, place: queued?.place ?? 0, isAsked };
}

export function useLock(id: string): CellLock | null {
  const { store } = useNotebook();
  return useSignal(store, `lock:${id}`, () => store.getLock(id));
}

export function useKernel(): NotebookKernel {
  const { store } = useNotebook();
  return useSignal(store, 'kernel', store.getKernel);
}

export function useSaving(): Saving {
  const { store } = useNotebook();
  return useSignal(store, 'saving', store.getSaving);
}

export function useNotebookMode() {
  const { store } = useNotebook();
  return useSignal(store, 'mode', store.getMode);
}

export function useOrder(): string[] {
  const { store } = useNotebook();
  return useSignal(store, 'order', store.getOrder);
}

/** Whether the pointer is, or was last, over the cell, so that its buttons are needed. */
export function usePointed(id: string): boolean {
  const { ui } = useNotebook();
  return useSignal(ui, `pointed:${id}`, () => ui.isPointed(id));
}

/** The mode of a cell: `command`, `edit`, `selected` or none, and whether the source of a text cell is open. */
export function useCellState(id: string) {
  const { ui } = useNotebook();
  const words = useSignal(ui, `ui:${id}`, () => ui.stateOf(id)).split(' ');
  return {
    isActive: words.includes('command') || words.includes('edit'),
    isEditing: words.includes('edit'),
    isSelected: words.includes('selected'),
    isOpen: words.includes('open'),
    hasNumbers: words.includes('numbered'),
  };
}
