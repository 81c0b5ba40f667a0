import { contract, type Paging } from '@atoll/contract';
import { implement } from '@orpc/server';
import type { Context } from '../context.ts';

/** Where a feature's routes begin: `endpoints.theme.get.handler(({ context, input }) => …)`. */
export const endpoints = implement(contract).$context<Context>();

/** The answer of a list in pages. */
export const pageOf = <Found extends { total: number }>({ page, page_size }: Paging, found: Found) => ({
  ...found,
  page,
  page_size,
});

/** The answer of a list that is short enough to be one page. */
export const onePage = <Entry>(entries: Entry[]) => ({
  entries,
  page: 1,
  page_size: Math.max(entries.length, 1),
  total: entries.length,
});

/** The answer of an endpoint that only confirms that it is done. */
export async function done(act: Promise<unknown>): Promise<{ ok: true }> {
  await act;
  return { ok: true };
}
