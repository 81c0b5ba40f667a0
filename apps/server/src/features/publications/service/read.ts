import { buffer } from 'node:stream/consumers';
import type { LiveOutput, Publication, PublicationDetail, PublicationVersion } from '@atoll/contract';
import { and, desc, eq, inArray, isNull, ne } from 'drizzle-orm';
import { readBlob } from '../../../platform/blobs.ts';
import type { Context } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { callerGrants, requireProject } from '../../projects/service/access.ts';
import { loadPeopleOf } from '../../projects/service/relations.ts';
import { projects } from '../../projects/table.ts';
import { type PublicationVersionRow, publications, publicationTags, publicationVersions } from '../table.ts';
import { isReadable, type ReadablePublication, readableOf, requireBySlug, requirePublication } from './access.ts';
import { publicationViews } from './relations.ts';

/** A publication with its article, in the version that is shown or an earlier one. */
export async function readBySlug(ctx: Context, slug: string, number?: number): Promise<PublicationDetail> {
  const readable = await requireBySlug(ctx, ctx.db, slug, 'publication.view');
  const version = await versionOf(ctx, readable, number);
  const [[view], content, [shown], related] = await Promise.all([
    publicationViews(ctx, ctx.db, [readable]),
    readBlob(ctx, version.htmlBlob),
    versionViews(ctx, readable, [version]),
    relatedTo(ctx, readable),
  ]);
  if (!view || !shown) throw notFound('This publication');
  return { ...view, toc: version.toc, html: (await buffer(content)).toString(), shown_version: shown, related };
}

/** A publication with the source of the version that is shown, to draw it for a page of another kind. */
export async function readSource(ctx: Context, slug: string) {
  const readable = await requireBySlug(ctx, ctx.db, slug, 'publication.view');
  return { publication: readable.publication, version: await versionOf(ctx, readable, undefined) };
}

/** What only a script can draw, of the version that is shown or an earlier one. */
export async function readLiveOutputs(ctx: Context, id: string, number?: number): Promise<LiveOutput[]> {
  const readable = await requirePublication(ctx, ctx.db, id, 'publication.view');
  const { sourceBlob, payload } = await versionOf(ctx, readable, number);
  const kind = ctx.publicationKinds.find((each) => each.contentKind === readable.publication.contentKind);
  return kind ? kind.liveOutputs(ctx, sourceBlob, payload) : [];
}

export async function versionOf(
  ctx: Context,
  { publication }: ReadablePublication,
  number: number | undefined,
): Promise<PublicationVersionRow> {
  const [version] = await ctx.db
    .select()
    .from(publicationVersions)
    .where(
      number === undefined
        ? eq(publicationVersions.id, publication.versionId ?? publication.id)
        : and(eq(publicationVersions.publicationId, publication.id), eq(publicationVersions.number, number)),
    );
  if (!version) throw notFound(number === undefined ? 'This publication' : 'This version');
  return version;
}

async function versionViews(
  ctx: Context,
  { publication }: ReadablePublication,
  rows: Omit<PublicationVersionRow, 'toc'>[],
): Promise<PublicationVersion[]> {
  const people = await loadPeopleOf(ctx.db, rows, ({ authorId }) => authorId);
  return rows.map((row) => ({
    id: row.id,
    number: row.number,
    created_at: row.createdAt.toISOString(),
    author: people.get(row.authorId ?? '') ?? null,
    is_current: row.id === publication.versionId,
  }));
}

export async function listVersions(ctx: Context, id: string): Promise<PublicationVersion[]> {
  const readable = await requirePublication(ctx, ctx.db, id, 'publication.view');
  const rows = await ctx.db
    .select()
    .from(publicationVersions)
    .where(eq(publicationVersions.publicationId, id))
    .orderBy(desc(publicationVersions.number))
    .limit(200);
  return versionViews(ctx, readable, rows);
}

export async function publicationsOfProject(ctx: Context, projectId: string): Promise<Publication[]> {
  const { project, abilities } = await requireProject(ctx, ctx.db, projectId, 'project.view');
  const rows = await ctx.db
    .select()
    .from(publications)
    .where(eq(publications.projectId, projectId))
    .orderBy(desc(publications.updatedAt));
  return publicationViews(
    ctx,
    ctx.db,
    rows
      // By its address alone it is read; here it would be listed.
      .filter(
        (row) => isReadable(row, abilities) && (row.accessLevel !== 'link_shared' || abilities.includes('publish')),
      )
      .map((publication) => ({ publication, project, abilities, isReadable: true })),
  );
}

const mostRelated = 3;

/** Public ones with a tag in common, else of the same category: the newest. */
async function relatedTo(ctx: Context, { publication }: ReadablePublication): Promise<Publication[]> {
  const mine = ctx.db
    .select({ id: publicationTags.tagId })
    .from(publicationTags)
    .where(eq(publicationTags.publicationId, publication.id));
  const sharing = ctx.db
    .select({ id: publicationTags.publicationId })
    .from(publicationTags)
    .where(inArray(publicationTags.tagId, mine));
  const select = (where: ReturnType<typeof and>) =>
    ctx.db
      .select({ publication: publications, project: projects, grants: callerGrants(ctx.actor) })
      .from(publications)
      .innerJoin(projects, eq(projects.id, publications.projectId))
      .where(
        and(
          eq(publications.accessLevel, 'public'),
          ne(publications.id, publication.id),
          isNull(projects.deletedAt),
          where,
        ),
      )
      .orderBy(desc(publications.publishedAt))
      .limit(mostRelated);
  const byTag = await select(inArray(publications.id, sharing));
  const rows = byTag.length > 0 ? byTag : await select(eq(publications.category, publication.category));
  return publicationViews(
    ctx,
    ctx.db,
    rows.filter((row) => row.publication.versionId).map((row) => readableOf(ctx, row)),
  );
}
