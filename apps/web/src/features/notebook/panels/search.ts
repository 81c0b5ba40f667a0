import type { Operation } from '@atoll/contract';
import type { NotebookStore } from '../store.ts';

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
  const whole = isWord ? `\\b(?:${source})\\b` : source;
  const flags = isCaseSensitive ? 'gm' : 'gim';
  // People write `\\-` and the like, which is only wrong where letters beyond the usual ones are meant.
  return readPattern(whole, `${flags}u`) ?? readPattern(whole, flags);
}

function readPattern(source: string, flags: string): RegExp | null {
  try {
    return new RegExp(source, flags);
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

/** The text with one place replaced, and where what comes after it begins. */
export function replaceOne(
  source: string,
  { from, to }: Pick<Match, 'from' | 'to'>,
  options: SearchOptions,
  replacement: string,
): { source: string; end: number } {
  const pattern = options.isPattern ? searchPattern(options) : null;
  // The whole text: a pattern may look at what stands around the place.
  const rest = source.slice(to);
  let next = replacement;
  if (pattern) {
    const here = new RegExp(pattern.source, `${pattern.flags.replace('g', '')}y`);
    here.lastIndex = from;
    next = source.replace(here, replacement).slice(from, rest ? -rest.length : undefined);
  }
  return { source: source.slice(0, from) + next + rest, end: from + next.length };
}
