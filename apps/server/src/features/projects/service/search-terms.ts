import type { ProjectListQuery } from '@atoll/contract';
import { desc, like, sql } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { startingWith } from '../../../platform/like.ts';
import { searchWords } from '../table.ts';

const maxWords = 10;
/** A beginning with more continuations than this is left to the index, which reads them all. */
const maxContinuations = 50;

export const wordsOf = (search: string): string[] =>
  (search.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).slice(0, maxWords);

const lexeme = (text: string) => `'${text.replace(/['\\]/g, '$&$&')}'`;

/** Tags, and what narrows them down by the same index; null without tags. */
export function facetTerms(query: ProjectListQuery): string | null {
  if (!query.tags?.length) return null;
  const facets = query.tags.map((name) => `tag:${name.toLowerCase()}`);
  if (query.type?.length === 1) facets.push(`kind:${query.type[0]}`);
  return facets.map(lexeme).join(' & ');
}

/** Each word as the known words that begin with it, or look like it; null when one has none. */
export async function wordTerms(ctx: Context, words: string[], by: 'beginning' | 'likeness'): Promise<string | null> {
  const terms: string[] = [];
  for (const word of words) {
    const continuations = by === 'beginning' ? await beginningWith(ctx, word) : [];
    const known = continuations.length > 0 ? continuations : await lookingLike(ctx, word);
    if (known.length === 0) return null;
    // Whole words are found at once; a beginning makes the index collect the lists of all its words.
    const isMany = continuations.length > maxContinuations;
    terms.push(isMany ? `${lexeme(word)}:*` : `(${known.map(lexeme).join(' | ')})`);
  }
  return terms.join(' & ');
}

async function beginningWith(ctx: Context, word: string): Promise<string[]> {
  const rows = await ctx.db
    .select()
    .from(searchWords)
    .where(like(searchWords.word, startingWith(word)))
    .limit(maxContinuations + 1);
  return rows.map((row) => row.word);
}

async function lookingLike(ctx: Context, word: string): Promise<string[]> {
  const rows = await ctx.db
    .select()
    .from(searchWords)
    .where(sql`${searchWords.word} % ${word}`)
    .orderBy(desc(sql`similarity(${searchWords.word}, ${word})`))
    .limit(5);
  return rows.map((row) => row.word);
}
