import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';

const parseMs = 25;

/** Whether a place is in a comment or in a string; the code within a formatted string is code. */
export function textPlaceAt(state: EditorState, at: number): 'code' | 'comment' | 'string' {
  const tree = ensureSyntaxTree(state, at, parseMs) ?? syntaxTree(state);
  for (let node = tree.resolveInner(at, -1); ; ) {
    if (/^(FormatReplacement|Interpolation)$/.test(node.name)) return 'code';
    if (/comment/i.test(node.name)) return 'comment';
    if (/string/i.test(node.name)) return at === node.to && isClosed(state.sliceDoc(node.from, at)) ? 'code' : 'string';
    if (!node.parent) return 'code';
    node = node.parent;
  }
}

/** After its closing quote a string is over. */
function isClosed(text: string): boolean {
  const [, quote = '', rest = ''] = /^[a-z]*("""|'''|["'`])([\s\S]*)$/i.exec(text) ?? [];
  return quote !== '' && rest.endsWith(quote);
}

/** How often each word is in the code. */
export function wordCounts(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const [word] of text.slice(0, 20_000).matchAll(/[\p{L}_][\p{L}\p{N}_]*/gu))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Words of the code come first, then arguments of the call; private names and the history of results come last. */
export function completionBoost(text: string, type: string | null, used: ReadonlyMap<string, number>): number {
  const name = text.slice(text.lastIndexOf('.') + 1).replace(/=$/, '');
  const count = used.get(name) ?? 0;
  const usage = count > 0 ? 20 + Math.min(count, 20) : 0;
  if (/^_{1,3}$|^_i*\d*$/.test(name)) return -99;
  if (name.startsWith('__')) return -80;
  if (name.startsWith('_')) return -50 + usage;
  return usage + (type === 'param' ? 15 : 0);
}
