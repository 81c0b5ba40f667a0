import { diffChars } from 'diff';

/** A range of a text, and the text that replaces it. */
export interface TextEdit {
  from: number;
  to: number;
  insert: string;
}

/**
 * Texts that differ more become one replacement, because comparing them letter by letter would delay others on the server.
 */
const mostEdits = 250;
const longestWord = 40;

/** Returns the edits that turn one text into another, in order and as small as possible. */
export function textEdits(before: string, after: string): TextEdit[] {
  const whole = wholeEdit(before, after);
  if (whole.from === whole.to && whole.insert === '') return [];
  if (whole.from === whole.to || whole.insert === '') return [whole];
  const parts = diffChars(before.slice(whole.from, whole.to), whole.insert, { maxEditLength: mostEdits });
  if (!parts || isRewritten(whole, parts)) return [whole];
  const edits: TextEdit[] = [];
  let [at, end] = [whole.from, -1];
  for (const { value, added, removed } of parts) {
    const last = edits.at(-1);
    const open = last && end === at ? last : null;
    if (added && open) open.insert += value;
    else if (added) edits.push({ from: at, to: at, insert: value });
    else if (removed && open) open.to += value.length;
    else if (removed) edits.push({ from: at, to: at + value.length, insert: '' });
    if (!added) at += value.length;
    if (added || removed) end = at;
  }
  return edits;
}

/** Whether a word was replaced by another one, with which it shares letters only by chance. */
function isRewritten({ from, to }: TextEdit, parts: readonly { value: string; added: boolean; removed: boolean }[]) {
  const kept = parts.reduce((sum, { value, added, removed }) => sum + (added || removed ? 0 : value.length), 0);
  return to - from <= longestWord && kept * 2 <= to - from + 1;
}

/** Returns one replacement between the common beginning and the common end; it never splits a character. */
function wholeEdit(before: string, after: string): TextEdit {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  if (isCut(before, start) || isCut(after, start)) start--;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  if (isCut(before, before.length - end) || isCut(after, after.length - end)) end--;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}

const isCut = (text: string, at: number): boolean => {
  const [left, right] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return left >= 0xd800 && left < 0xdc00 && right >= 0xdc00 && right < 0xe000;
};

/**
 * Merges two people's versions of the same text: everything that either wrote is in it. Where both wrote at one place,
 * `theirs` comes first.
 */
export function mergeTexts(base: string, mine: string, theirs: string): string {
  if (mine === base || mine === theirs) return theirs;
  if (theirs === base) return mine;
  const inserted = new Map<number, string>();
  const isDeleted = new Uint8Array(base.length);
  const first = textEdits(base, theirs);
  const second = textEdits(base, mine).filter(
    // An equal replacement by both is applied once.
    ({ from, to, insert }) =>
      from === to || !first.some((edit) => edit.from === from && edit.to === to && edit.insert === insert),
  );
  for (const { from, to, insert } of [...first, ...second]) {
    inserted.set(from, (inserted.get(from) ?? '') + insert);
    isDeleted.fill(1, from, to);
  }
  let text = '';
  for (let at = 0; at <= base.length; at++) {
    text += inserted.get(at) ?? '';
    if (at < base.length && !isDeleted[at]) text += base[at];
  }
  return text;
}
