import type { EndpointInput, PublishedStrategy } from '@atoll/contract';
import { and, asc, count, desc, eq, exists, inArray, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Context } from '../../../platform/context.ts';
import { callerGrants } from '../../projects/service/access.ts';
import { projects } from '../../projects/table.ts';
import { readableOf } from '../../publications/service/access.ts';
import { publicationViews } from '../../publications/service/relations.ts';
import { isShown } from '../../publications/service/shown.ts';
import { publications, publicationVersions } from '../../publications/table.ts';
import { publishedStrategies, strategyRuns, strategyTests } from '../table.ts';
import { viewVerification } from '../view.ts';
import { publicRuns } from './public-runs.ts';
import { liveOf } from './runs.ts';
import { cardOf, readSnapshot } from './snapshot.ts';
import { startVerification } from './verify-job.ts';

/** After a version was published: what lists show of it. */
export async function keepCard(ctx: Context, publicationId: string): Promise<void> {
  const [row] = await ctx.db
    .select({ publication: publications, version: publicationVersions })
    .from(publications)
    .innerJoin(publicationVersions, eq(publicationVersions.id, publications.versionId))
    .where(and(eq(publications.id, publicationId), eq(publications.contentKind, 'strategies')));
  if (!row?.publication.fileId) return;
  const snapshot = await readSnapshot(ctx, row.version.sourceBlob);
  const card = cardOf(snapshot);
  const values = {
    fileId: row.publication.fileId,
    testId: snapshot.testId,
    card,
    totalReturn: card.returns.max.value,
    return30d: card.returns['30d'].value,
    return7d: card.returns['7d'].value,
    return1d: card.returns['1d'].value,
    sharpe: card.sharpe.value,
    maxDrawdown: card.max_drawdown.value,
    isLookAheadPassed: card.look_ahead === 'passed',
  };
  await ctx.write(async (write) => {
    await write.tx
      .insert(publishedStrategies)
      .values({ publicationId, ...values })
      .onConflictDoUpdate({ target: publishedStrategies.publicationId, set: values });
    await startVerification(write, snapshot.testId, [null]);
  });
}

type Question = EndpointInput<'strategies', 'catalogue'>;

/** The list itself joins projects too. */
const owners = alias(projects, 'run_projects');
const isVerified = eq(strategyTests.verification, 'passed');

function orderOf(ctx: Context, { sort_by, sort_direction }: Question): SQL[] {
  const column = {
    published_at: publications.publishedAt,
    total_return: publishedStrategies.totalReturn,
    return_30d: publishedStrategies.return30d,
    return_7d: publishedStrategies.return7d,
    return_1d: publishedStrategies.return1d,
    sharpe: publishedStrategies.sharpe,
    max_drawdown: publishedStrategies.maxDrawdown,
    live_time: sql`(select now() - min(started_at) from ${liveRuns(ctx).as('live_runs')})`,
  }[sort_by];
  // What has no figure comes last, whichever way it is sorted.
  return [sort_direction === 'asc' ? sql`${column} asc nulls last` : sql`${column} desc nulls last`];
}

/** When its author's runs that still go on were started. */
const liveRuns = (ctx: Context) =>
  ctx.db
    .select({ startedAt: strategyRuns.startedAt })
    .from(strategyRuns)
    .innerJoin(owners, and(eq(owners.id, strategyRuns.projectId), eq(owners.ownerId, strategyRuns.ownerId)))
    .where(
      and(eq(strategyRuns.fileId, publishedStrategies.fileId), inArray(strategyRuns.state, ['running', 'paused'])),
    );

const tradesAsset = (asset: string) =>
  sql`exists (select from jsonb_array_elements_text(${publishedStrategies.card} -> 'symbols') as symbol
    where split_part(symbol, '/', 1) = ${asset.toUpperCase()})`;

export async function listPublished(ctx: Context, question: Question) {
  const { search, asset, only_checked, only_live, page, page_size, sort_direction } = question;
  const words = (search ?? '').toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const terms = words.slice(0, 10).map((word) => `'${word}':*`);
  const where = and(
    isShown,
    terms.length > 0 ? sql`${publications.searchVector} @@ ${terms.join(' & ')}::tsquery` : undefined,
    only_checked ? isVerified : undefined,
    only_live ? exists(liveRuns(ctx)) : undefined,
    asset ? tradesAsset(asset) : undefined,
  );
  const [rows, [counted]] = await Promise.all([
    ctx.db
      .select({
        strategy: publishedStrategies,
        publication: publications,
        project: projects,
        grants: callerGrants(ctx.actor),
        test: strategyTests,
      })
      .from(publishedStrategies)
      .innerJoin(publications, eq(publications.id, publishedStrategies.publicationId))
      .innerJoin(projects, eq(projects.id, publications.projectId))
      .leftJoin(strategyTests, eq(strategyTests.id, publishedStrategies.testId))
      .where(where)
      .orderBy(...orderOf(ctx, question), sort_direction === 'asc' ? asc(publications.id) : desc(publications.id))
      .limit(page_size)
      .offset((page - 1) * page_size),
    ctx.db
      .select({ total: count() })
      .from(publishedStrategies)
      .innerJoin(publications, eq(publications.id, publishedStrategies.publicationId))
      .leftJoin(strategyTests, eq(strategyTests.id, publishedStrategies.testId))
      .where(where),
  ]);
  const views = await publicationViews(
    ctx,
    ctx.db,
    rows.map((row) => readableOf(ctx, row)),
  );
  const runs = await publicRuns(
    ctx,
    rows.map(({ strategy }) => strategy.fileId),
  );
  const entries: PublishedStrategy[] = [];
  for (const { strategy, test } of rows) {
    const publication = views.find(({ id }) => id === strategy.publicationId);
    const run = runs.get(strategy.fileId);
    const live = run ? await liveOf(ctx, run) : null;
    if (publication)
      entries.push({ publication, ...strategy.card, verification: test && viewVerification(test), live });
  }
  return { entries, page, page_size, total: counted?.total ?? 0 };
}
