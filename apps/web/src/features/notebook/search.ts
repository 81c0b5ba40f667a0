import type { Operation } from '@atoll/contract';
import type { NotebookStore } from './store.ts';

export interface SearchOptions {
  text: string;
  isCaseSensitive: boolean;
  isWord: boolean;
  isPattern: boolean;
}

export interface Match {
  id: string;
  from: number;
  to: number;
  line: string;
  /** Where in the line it begins. */
  column: number;
  lineNumber: number;
}

const most = 5_000;

/** Null where the pattern cannot be read. */
export function searchPattern({ text, isCaseSensitive, isWord, isPattern }: SearchOptions): RegExp | null {
  if (!text) return null;
  const source = isPattern ? text : text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  try {
    return new RegExp(isWord ? `\\b(?:${source})\\b` : source, isCaseSensitive ? 'gmu' : 'gimu');
  } catch {
    return null;
  }
}

/** Every place in every cell, drawn or not. */
export function findAll(store: Pick<NotebookStore, 'getOrder' | 'sourceOf'>, options: SearchOptions): Match[] {
  const pattern = searchPattern(options);
  if (!pattern) return [];
  const matches: Match[] = [];
  for (const id of store.getOrder()) {
    const source = store.sourceOf(id);
    for (const found of source.matchAll(pattern)) {
      if (found[0] === '') continue;
      const start = source.lastIndexOf('\n', found.index - 1) + 1;
      const end = source.indexOf('\n', found.index);
      matches.push({
        id,
        from: found.index,
        to: found.index + found[0].length,
        line: source.slice(start, end < 0 ? undefined : end),
        column: found.index - start,
        lineNumber: source.slice(0, start).split('\n').length,
      });
      if (matches.length >= most) return matches;
    }
  }
  return matches;
}

/** One operation for each cell that changes; `$1` stands for a group of a pattern. */
export function replaceAll(
  store: Pick<NotebookStore, 'getOrder' | 'sourceOf'>,
  options: SearchOptions,
  replacement: string,
): Operation[] {
  const pattern = searchPattern(options);
  if (!pattern) return [];
  return store.getOrder().flatMap((cell_id): Operation[] => {
    const before = store.sourceOf(cell_id);
    const source = options.isPattern
      ? before.replace(pattern, replacement)
      : before.replace(pattern, () => replacement);
    return source === before ? [] : [{ op: 'update_cell_source', cell_id, source }];
  });
}

export const replaceOne = (
  source: string,
  { from, to }: Match,
  options: SearchOptions,
  replacement: string,
): string => {
  const pattern = searchPattern(options);
  const found = source.slice(from, to);
  const next = options.isPattern && pattern ? found.replace(pattern, replacement) : replacement;
  return source.slice(0, from) + next + source.slice(to);
};
