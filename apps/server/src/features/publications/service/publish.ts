import { Readable } from 'node:stream';
import {
  type ContentKind,
  defaultPayload,
  type EndpointFields,
  type Publication,
  type PublicationPayload,
  type RemotePicture,
  uploadLimits,
} from '@atoll/contract';
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { nobody } from '../../../platform/actor.ts';
import type { Context, Write } from '../../../platform/context.ts';
import { AppError, denied, invalidField, notFound } from '../../../platform/errors.ts';
import { checkFlag } from '../../../platform/flags/check-flag.ts';
import type { PublicationKind } from '../../../platform/publication-kind.ts';
import { type FileRow, files } from '../../files/table.ts';
import { accessOf, allGranted, callerGrants, lockProject, type ProjectAccess } from '../../projects/service/access.ts';
import { projectGrants, projects, tags } from '../../projects/table.ts';
import {
  type PreparedPicture,
  preparePicture,
  publishPicture,
  redrawPicture,
  retirePicture,
} from '../../uploads/service/pictures.ts';
import {
  type PublicationRow,
  publicationAuthors,
  publications,
  publicationTags,
  publicationVersions,
} from '../table.ts';
import { requirePublication } from './access.ts';
import { newestRun } from './pending-runs.ts';
import { remotePicturesOf, withPictures } from './pictures.ts';
import { viewPublication } from './relations.ts';
import { freeSlug, lockSlugs, takeSlug } from './slugs.ts';

export type PublicationUpdate = EndpointFields<'publications', 'publish'>;

interface PublishableFile extends ProjectAccess {
  file: FileRow;
  kind: PublicationKind<Context>;
}

/** The file of a project the caller may publish from; who cannot see it learns nothing. */
async function requireFile(ctx: Context, db: Context['db'] | Write['tx'], fileId: string): Promise<PublishableFile> {
  const [row] = await db
    .select({ file: files, project: projects, grants: callerGrants(ctx.actor) })
    .from(files)
    .innerJoin(projects, eq(projects.id, files.projectId))
    .where(and(eq(files.id, fileId), isNull(files.deletedAt), isNull(projects.deletedAt)));
  if (!row) throw notFound('This file');
  const access = accessOf(ctx.actor, row.project, allGranted(row.grants));
  if (!access.abilities.includes('view')) throw notFound('This file');
  if (!access.abilities.includes('publish'))
    throw denied('no_permissions', 'You do not have permission to publish from this project.');
  ctx.authorize('publication.publish', access);
  const kind = ctx.publicationKinds.find((each) => each.takes(row.file));
  if (!kind) throw new AppError('unprocessable_entity', 'Files of this kind cannot be published.');
  return { ...access, file: row.file, kind };
}

export async function remotePictures(ctx: Context, fileId: string): Promise<RemotePicture[]> {
  const { file, kind } = await requireFile(ctx, ctx.db, fileId);
  return remotePicturesOf(ctx, kind, (await kind.newest(ctx, file)).blob, fileId);
}

export async function publicationOfFile(ctx: Context, fileId: string) {
  const { file, project, abilities, kind } = await requireFile(ctx, ctx.db, fileId);
  const [publication] = await ctx.db.select().from(publications).where(eq(publications.fileId, fileId));
  const about = { content_kind: kind.contentKind, types: [...kind.types] };
  if (!publication) {
    const suggested_slug = await freeSlug(ctx, project.name);
    return { publication: null, suggested_slug, ...about, has_changes: false, run: null };
  }
  const [shown] = publication.versionId
    ? await ctx.db.select().from(publicationVersions).where(eq(publicationVersions.id, publication.versionId))
    : [];
  const newest = await kind.newest(ctx, file);
  return {
    publication: await viewPublication(ctx, ctx.db, { publication, project, abilities, isReadable: true }),
    suggested_slug: publication.slug,
    ...about,
    has_changes: shown ? shown.fileVersionId !== newest.fileVersionId : true,
    run: await newestRun(ctx, fileId),
  };
}

/** What the version is made of, when that is not the newest content of the file. */
interface Source {
  blob: string;
  fileVersionId: string;
}

/** Creates the publication of a file, or changes it; with `publish_version` (always the first time it is shown) a new version. */
export async function publish(
  ctx: Context,
  fileId: string,
  update: PublicationUpdate,
  fromRun?: { source: Source; settle(write: Write): Promise<void> },
): Promise<Publication> {
  const source = fromRun?.source;
  const { file, project, kind } = await requireFile(ctx, ctx.db, fileId);
  if (update.access_level === 'public') checkFlag(ctx, 'publish_globally');
  if (update.type && !kind.types.includes(update.type))
    throw invalidField('type', `Must be one of ${kind.types.join(', ')}`);
  const [before] = await ctx.db.select().from(publications).where(eq(publications.fileId, fileId));
  const payload = { ...defaultPayload, ...before?.payload, ...update.payload };
  // A reader's copy has all of it.
  const isRunByReaders = update.execution_enabled ?? before?.isExecutionEnabled ?? false;
  if (isRunByReaders && (!payload.shows_code || payload.hidden_cell_ids.length > 0))
    throw invalidField(
      'execution_enabled',
      'Readers who run it get all cells with their code. Show all of it, or do not let readers run it.',
    );
  const isShown = (update.access_level ?? before?.accessLevel ?? 'draft') !== 'draft';
  const isNewVersion = update.publish_version === true || (isShown && !before?.versionId);
  // Drawing takes its time and therefore happens before the transaction.
  const version = isNewVersion ? await drawVersion(ctx, kind, source ?? (await kind.newest(ctx, file)), payload) : null;
  const redrawn = !version && before?.versionId && update.payload ? await redraw(ctx, kind, before, payload) : null;
  const cover = await coverOf(ctx, kind, file, update, source);
  return ctx.write(async (write) => {
    await lockProject(write.tx, project.id);
    const access = await requireFile(ctx, write.tx, fileId);
    // As it is now: another call may have published it since.
    const [known = null] = await write.tx.select().from(publications).where(eq(publications.fileId, fileId));
    const publication = await upsert(ctx, write, access, update, { payload, contentKind: kind.contentKind, cover });
    const drawn = version ?? redrawn;
    if (drawn) await addVersion(ctx, write, publication, drawn, payload);
    if (update.tags) await setTags(write, publication.id, update.tags);
    if (update.author_ids) await setAuthors(write, publication.id, access, update.author_ids);
    const row = await markPublished(ctx, write, publication.id);
    await emitChange(write, known, row);
    await fromRun?.settle(write);
    return viewPublication(ctx, write.tx, { ...access, publication: row, isReadable: true });
  });
}

/** The first time it can be read by others is its date. */
async function markPublished(ctx: Context, { tx }: Write, id: string): Promise<PublicationRow> {
  const isNow = sql`${publications.accessLevel} <> 'draft' and ${publications.versionId} is not null`;
  const [row] = await tx
    .update(publications)
    .set({
      publishedAt: sql`coalesce(${publications.publishedAt}, case when ${isNow} then ${ctx.now().toISOString()}::timestamptz end)`,
    })
    .where(eq(publications.id, id))
    .returning();
  if (!row) throw notFound('This publication');
  return row;
}

interface DrawnVersion {
  sourceBlob: string;
  fileVersionId: string | null;
  htmlBlob: string;
  toc: { level: number; text: string; anchor: string }[];
}

async function drawVersion(
  ctx: Context,
  kind: PublicationKind<Context>,
  { blob, fileVersionId }: Source,
  payload: PublicationPayload,
): Promise<DrawnVersion> {
  return { ...(await draw(ctx, kind, blob, payload)), fileVersionId };
}

/** The version that is shown, with other settings: a version of its own, so that what was read stays as it was. */
async function redraw(
  ctx: Context,
  kind: PublicationKind<Context>,
  { versionId }: PublicationRow,
  payload: PublicationPayload,
): Promise<DrawnVersion | null> {
  const [shown] = await ctx.db
    .select()
    .from(publicationVersions)
    .where(eq(publicationVersions.id, versionId ?? nobody));
  return shown ? { ...(await draw(ctx, kind, shown.sourceBlob, payload)), fileVersionId: shown.fileVersionId } : null;
}

async function draw(ctx: Context, kind: PublicationKind<Context>, source: string, payload: PublicationPayload) {
  const blob = await withPictures(ctx, kind, source, payload);
  const { html, toc } = await kind.render(ctx, blob, payload);
  const { sha256 } = await ctx.blobs.put(Readable.from([Buffer.from(html)]), uploadLimits.file);
  return { sourceBlob: blob, htmlBlob: sha256, toc };
}

const coverBox = { width: 1_200, height: 630, isSquare: false };

/** An upload, or the picture that a cell shows, drawn anew. */
async function coverOf(
  ctx: Context,
  kind: PublicationKind<Context>,
  file: FileRow,
  { cover_upload_id, cover_cell_id }: PublicationUpdate,
  source: Source | undefined,
): Promise<PreparedPicture | null> {
  if (cover_upload_id) return preparePicture(ctx, cover_upload_id, 'cover_upload_id', coverBox);
  if (cover_cell_id === undefined) return null;
  const { blob } = source ?? (await kind.newest(ctx, file));
  const shown = await kind.picture(ctx, blob, cover_cell_id);
  if (!shown) throw invalidField('cover_cell_id', 'This cell shows no picture');
  return redrawPicture(ctx, shown, 'cover_cell_id', coverBox);
}

async function upsert(
  ctx: Context,
  write: Write,
  { file, project, kind }: PublishableFile,
  update: PublicationUpdate,
  given: { payload: PublicationPayload; contentKind: ContentKind; cover: PreparedPicture | null },
): Promise<PublicationRow> {
  const { tx } = write;
  const now = ctx.now();
  const [before] = await tx.select().from(publications).where(eq(publications.fileId, file.id)).for('update');
  const coverAssetId = given.cover
    ? await publishPicture(ctx, tx, given.cover)
    : update.cover_upload_id === null
      ? null
      : (before?.coverAssetId ?? null);
  if (before && coverAssetId !== before.coverAssetId) await retirePicture(tx, before.coverAssetId);
  await lockSlugs(write);
  const slug = update.slug ?? before?.slug ?? (await freeSlug({ db: tx }, update.title ?? project.name));
  if (slug !== before?.slug) await takeSlug(ctx, write, slug, before ?? null);
  const changed = {
    type: update.type ?? before?.type ?? kind.types[0],
    category: update.category ?? before?.category ?? ('other' as const),
    accessLevel: update.access_level ?? before?.accessLevel ?? ('draft' as const),
    title: update.title ?? before?.title ?? project.name,
    description: update.description ?? before?.description ?? project.description.slice(0, 2_000),
    isExecutionEnabled: update.execution_enabled ?? before?.isExecutionEnabled ?? false,
    copiesProjectFiles: update.execution_copy_project_files ?? before?.copiesProjectFiles ?? false,
    payload: given.payload,
    coverAssetId,
    slug,
    updatedAt: now,
  };
  const [row] = before
    ? await tx.update(publications).set(changed).where(eq(publications.id, before.id)).returning()
    : await tx
        .insert(publications)
        .values({ ...changed, projectId: project.id, fileId: file.id, contentKind: given.contentKind, createdAt: now })
        .returning();
  if (!row) throw new Error('The publication was not stored');
  return row;
}

async function addVersion(
  ctx: Context,
  { tx }: Write,
  publication: PublicationRow,
  drawn: DrawnVersion,
  payload: PublicationPayload,
): Promise<void> {
  const [shown] = publication.versionId
    ? await tx.select().from(publicationVersions).where(eq(publicationVersions.id, publication.versionId))
    : [];
  // Asked for twice, it is the same version.
  if (shown?.htmlBlob === drawn.htmlBlob && shown.sourceBlob === drawn.sourceBlob) return;
  const [last] = await tx
    .select({ number: sql<number>`coalesce(max(${publicationVersions.number}), 0)::int` })
    .from(publicationVersions)
    .where(eq(publicationVersions.publicationId, publication.id));
  const number = (last?.number ?? 0) + 1;
  const [version] = await tx
    .insert(publicationVersions)
    .values({
      ...drawn,
      publicationId: publication.id,
      number,
      payload,
      authorId: ctx.actor.userId,
      createdAt: ctx.now(),
    })
    .returning();
  await tx
    .update(publications)
    .set({ versionId: version?.id, versionNumber: number })
    .where(eq(publications.id, publication.id));
}

async function setTags({ tx }: Write, publicationId: string, names: string[]): Promise<void> {
  const wanted = [...new Map(names.map((name) => [name.toLowerCase(), name])).values()];
  if (wanted.length > 0)
    await tx
      .insert(tags)
      .values(wanted.map((name) => ({ name })))
      .onConflictDoNothing();
  const known = wanted.length
    ? await tx
        .select()
        .from(tags)
        .where(
          inArray(
            sql`lower(${tags.name})`,
            wanted.map((name) => name.toLowerCase()),
          ),
        )
    : [];
  await tx.delete(publicationTags).where(eq(publicationTags.publicationId, publicationId));
  if (known.length > 0) await tx.insert(publicationTags).values(known.map((tag) => ({ publicationId, tagId: tag.id })));
  await tx
    .update(publications)
    .set({ tagNames: known.map((tag) => tag.name.toLowerCase()) })
    .where(eq(publications.id, publicationId));
}

/** Only people of the project can be named as authors. */
async function setAuthors(
  { tx }: Write,
  publicationId: string,
  { project }: PublishableFile,
  ids: string[],
): Promise<void> {
  const wanted = [...new Set(ids)];
  const granted = await tx
    .select({ id: projectGrants.userId })
    .from(projectGrants)
    .where(eq(projectGrants.projectId, project.id));
  const people = new Set([project.ownerId, project.creatorId, ...granted.map(({ id }) => id)]);
  if (wanted.some((id) => !people.has(id))) throw invalidField('author_ids', 'Authors must be people of the project');
  await tx.delete(publicationAuthors).where(eq(publicationAuthors.publicationId, publicationId));
  if (wanted.length > 0)
    await tx.insert(publicationAuthors).values(wanted.map((userId, position) => ({ publicationId, userId, position })));
}

async function emitChange(write: Write, before: PublicationRow | null, after: PublicationRow): Promise<void> {
  const about = { publication_id: after.id, project_id: after.projectId };
  const wasShown = before !== null && before.accessLevel !== 'draft' && before.versionId !== null;
  const isShown = after.accessLevel !== 'draft' && after.versionId !== null;
  if (isShown && (!wasShown || before?.versionId !== after.versionId))
    await write.emit('publication.published', { ...about, version_number: after.versionNumber });
  else if (wasShown && !isShown) await write.emit('publication.unpublished', about);
  else await write.emit('publication.updated', about);
}

/** Shows an earlier version again; the others stay. */
export async function restoreVersion(ctx: Context, id: string, number: number): Promise<Publication> {
  return ctx.write(async (write) => {
    const readable = await requirePublication(ctx, write.tx, id, 'publication.publish');
    const [version] = await write.tx
      .select()
      .from(publicationVersions)
      .where(and(eq(publicationVersions.publicationId, id), eq(publicationVersions.number, number)));
    if (!version) throw notFound('This version');
    const [row] = await write.tx
      .update(publications)
      .set({
        versionId: version.id,
        versionNumber: version.number,
        payload: version.payload,
        updatedAt: ctx.now(),
      })
      .where(eq(publications.id, id))
      .returning();
    if (!row) throw notFound('This publication');
    await emitChange(write, readable.publication, row);
    return viewPublication(ctx, write.tx, { ...readable, publication: row });
  });
}
