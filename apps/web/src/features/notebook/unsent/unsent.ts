import { localKeys, ofPerson, readLocal, writeLocal } from '../../../platform/storage.ts';
import { textsIn, type Unsent } from '../store/kept.ts';
import type { NotebookStore } from '../store.ts';

/**
 * Stores edits that have not reached the server in the browser, so that a person who closes the window without a connection
 * gets them back with the notebook. Each window has its own key, so that two do not overwrite each other.
 */

export interface Place {
  me: string;
  projectId: string;
  fileId: string;
}

const prefixOfProject = (me: string, projectId: string): string => ofPerson(me, `unsent:${projectId}:`);
const prefixOf = ({ me, projectId, fileId }: Place): string => `${prefixOfProject(me, projectId)}${fileId}:`;

/** Edits that are sent within this time are not stored, because storing at every letter would slow typing. */
const patienceMs = 500;
/** Unclaimed edits are deleted after this time. */
const longestMs = 30 * 24 * 3_600_000;

interface Stored extends Unsent {
  at: number;
}

function read(key: string): Stored | null {
  try {
    const stored = JSON.parse(readLocal(key) ?? 'null') as Stored | null;
    if (!stored || !Array.isArray(stored.items) || !Array.isArray(stored.kept)) return null;
    return Date.now() - stored.at > longestMs ? null : stored;
  } catch {
    return null;
  }
}

/** Browsers have locks only on secure pages. */
const locks = 'locks' in navigator ? navigator.locks : null;

/** Locks the key until the window is closed, so that other windows do not take its edits. */
function hold(key: string): () => void {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  void locks?.request(key, () => held).catch(() => {});
  return () => release();
}

/** Takes the unsent edits of windows that are closed. */
export async function takeUnsent(place: Place, tag: string): Promise<Unsent | null> {
  const items: Unsent['items'] = [];
  const kept: Unsent['kept'] = [];
  const take = (key: string) => {
    const stored = read(key);
    writeLocal(key, null);
    if (!stored) return;
    items.push(...stored.items);
    kept.push(...stored.kept);
  };
  const own = `${prefixOf(place)}${tag}`;
  // Taken first, before this window stores something under the same key.
  take(own);
  for (const key of localKeys(prefixOf(place))) {
    if (!locks) take(key);
    else if (key !== own) await locks.request(key, { ifAvailable: true }, (lock) => lock && take(key));
  }
  return items.length || kept.length ? { items, kept } : null;
}

export interface Keeping {
  changed(): void;
  /** Stores at once, because the window is about to be closed. Returns whether all edits are sent or stored. */
  now(): boolean;
  end(): void;
}

/** Stores the unsent edits of a store, as long as there are any. */
export function keepUnsent(getStore: () => NotebookStore, place: Place, tag: string): Keeping {
  const key = `${prefixOf(place)}${tag}`;
  const release = hold(key);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStored = false;
  let isOver = false;
  const now = (): boolean => {
    clearTimeout(timer);
    timer = undefined;
    const unsent = getStore().getUnsent();
    if (!unsent) {
      if (isStored) writeLocal(key, null);
      isStored = false;
      return true;
    }
    isStored = writeLocal(key, JSON.stringify({ ...unsent, at: Date.now() }));
    for (const listener of listeners) listener();
    return isStored;
  };
  return {
    changed() {
      if (isOver) return;
      // Edits that are on their way are checked again in a moment.
      if (isStored && !getStore().getUnsent()) now();
      else timer ??= setTimeout(now, patienceMs);
    },
    now,
    end() {
      if (isOver) return;
      now();
      isOver = true;
      release();
    },
  };
}

/** Stores unsent edits for another notebook, such as a copy. */
export const leaveUnsent = (place: Place, unsent: Unsent): boolean =>
  writeLocal(`${prefixOf(place)}left`, JSON.stringify({ ...unsent, at: Date.now() }));

const listeners = new Set<() => void>();

/** Notifies of kept texts that were added or removed. */
export function onKept(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export interface KeptElsewhere {
  /** The storage key of the window that kept it. */
  key: string;
  cellId: string;
  text: string;
}

/** The kept texts of a project's notebooks, to be read: they stay stored for the next time these are opened. */
export const keptOfProject = (me: string, projectId: string): KeptElsewhere[] =>
  localKeys(prefixOfProject(me, projectId)).flatMap((key) => {
    const { items = [], kept = [] } = read(key) ?? {};
    const texts = [...kept, ...items.flatMap(({ operations }) => textsIn(operations))];
    // The last text of each cell contains everything typed in it.
    const byCell = new Map(texts.map(({ cellId, text }) => [cellId, text]));
    return [...byCell].filter(([, text]) => text.trim() !== '').map(([cellId, text]) => ({ key, cellId, text }));
  });

export function forgetKept(me: string, projectId: string): void {
  for (const key of localKeys(prefixOfProject(me, projectId))) writeLocal(key, null);
  for (const listener of listeners) listener();
}
