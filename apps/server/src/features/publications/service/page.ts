import { buffer } from 'node:stream/consumers';
import type { PersonSummary, TocEntry } from '@atoll/contract';
import { appState } from '../../../platform/app-state.ts';
import { readBlob } from '../../../platform/blobs.ts';
import type { Context } from '../../../platform/context.ts';
import type { PublicationRow } from '../table.ts';
import { type ReadablePublication, requireBySlug } from './access.ts';
import { versionOf } from './read.ts';
import { viewPublication } from './relations.ts';

/** What a page shows that is the same for all readers. */
export interface ReadPage {
  publication: PublicationRow;
  authors: PersonSummary[];
  number: number;
  isCurrent: boolean;
  toc: TocEntry[];
  html: string;
  /** Changes with what is shown. */
  key: string;
}

type LoadedPage = Omit<ReadPage, 'key'>;

interface Kept {
  page: Promise<LoadedPage>;
  size: number;
  until: number;
}

/** Names of authors may change; everything else that is kept never does under its key. */
const life = 60_000;
const mostKept = 64 * 1024 ** 2;

const kept = appState(() => ({ pages: new Map<string, Kept>(), size: 0 }));

/** Questions of readers without an account that are being answered: all of them get the same answer. */
const asked = appState(() => new Map<string, Promise<ReadPage>>());

/** The database is asked once: whether this reader may read it, and which version. The rest is kept in memory. */
export function readPage(ctx: Context, slug: string, number?: number): Promise<ReadPage> {
  if (ctx.actor.kind !== 'anonymous') return readOne(ctx, slug, number);
  const questions = asked(ctx);
  const question = `${slug} ${number ?? ''}`;
  const known = questions.get(question);
  if (known) {
    ctx.pendingRowCheck = null;
    return known;
  }
  const answer = readOne(ctx, slug, number).finally(() => questions.delete(question));
  questions.set(question, answer);
  return answer;
}

async function readOne(ctx: Context, slug: string, number: number | undefined): Promise<ReadPage> {
  const readable = await requireBySlug(ctx, ctx.db, slug, 'publication.view');
  const { id, versionId, updatedAt } = readable.publication;
  const key = `${id} ${versionId} ${number ?? ''} ${updatedAt.getTime()}`;
  const { pages } = kept(ctx);
  const known = pages.get(key);
  const page =
    known && known.until > ctx.now().getTime() ? known.page : keep(ctx, key, loadPage(ctx, readable, number));
  return { ...(await page), publication: readable.publication, key };
}

/** The oldest go first. */
function keep(ctx: Context, key: string, page: Promise<LoadedPage>): Promise<LoadedPage> {
  const cache = kept(ctx);
  const forget = (each: string) => {
    cache.size -= cache.pages.get(each)?.size ?? 0;
    cache.pages.delete(each);
  };
  forget(key);
  const entry = { page, size: 0, until: ctx.now().getTime() + life };
  cache.pages.set(key, entry);
  page.then(
    ({ html }) => {
      if (cache.pages.get(key) !== entry) return;
      entry.size = html.length;
      cache.size += html.length;
      for (const each of cache.pages.keys()) {
        if (cache.size <= mostKept) break;
        forget(each);
      }
    },
    () => forget(key),
  );
  return page;
}

async function loadPage(ctx: Context, readable: ReadablePublication, number?: number): Promise<LoadedPage> {
  const version = await versionOf(ctx, readable, number);
  const [view, content] = await Promise.all([viewPublication(ctx, ctx.db, readable), readBlob(ctx, version.htmlBlob)]);
  return {
    publication: readable.publication,
    authors: view.authors,
    number: version.number,
    isCurrent: version.id === readable.publication.versionId,
    toc: version.toc,
    html: (await buffer(content)).toString(),
  };
}
