import { textChange } from '../../../ui/editor/text-change.ts';

/**
 * Merges the versions of two people of the same text where they wrote in different lines; null where they did not, because
 * the result would be a guess.
 */
export function mergedText(over: string, mine: string, theirs: string): string | null {
  if (mine === theirs || mine === over) return theirs;
  if (theirs === over) return mine;
  const [one, other] = [textChange(over, mine), textChange(over, theirs)];
  const [first, second] = one.from <= other.from ? [one, other] : [other, one];
  const between = over.slice(first.to, second.from);
  if (first.to > second.from || !between.includes('\n')) return null;
  return over.slice(0, first.from) + first.insert + between + second.insert + over.slice(second.to);
}
