import { textChange } from '../../../ui/editor/text-change.ts';

/**
 * What two people made of the same text, in one: where they wrote in different lines. Null where they did not, and it would
 * be a guess.
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
