import { createHash } from 'node:crypto';
import type { PersonSummary, PrintSettings } from '@atoll/contract';
import { and, eq, isNull } from 'drizzle-orm';
import { appState } from '../../../platform/app-state.ts';
import type { Context } from '../../../platform/context.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { projects } from '../../projects/table.ts';
import { publicationViews } from '../../publications/service/relations.ts';
import { type PublicationRow, publications, publicationVersions } from '../../publications/table.ts';
import { currentTheme } from '../../theme/service.ts';
import { printSettingsOf } from './settings.ts';

/** Changes with how pages are drawn: what was drawn before is drawn anew. */
const drawing = 1;

/** Everything that is printed, before it is drawn. */
export interface Printed {
  publication: PublicationRow;
  ownerId: string;
  versionId: string;
  number: number;
  settings: PrintSettings;
  authors: PersonSummary[];
  /** The day it is printed on. */
  date: string;
  key: string;
  watermark: string | null;
  draw(): Promise<string>;
}

export async function watermarkOf(ctx: Context, { print_theme }: Pick<PrintSettings, 'print_theme'>) {
  const { light_watermark, dark_watermark } = await currentTheme(ctx);
  return print_theme === 'light' ? light_watermark : dark_watermark;
}

/** Whether the caller may read it was asked before. */
export async function printedOf(ctx: Context, publicationId: string): Promise<Printed> {
  const [row] = await ctx.db
    .select({ publication: publications, project: projects, version: publicationVersions })
    .from(publications)
    .innerJoin(projects, eq(projects.id, publications.projectId))
    .leftJoin(publicationVersions, eq(publicationVersions.id, publications.versionId))
    .where(and(eq(publications.id, publicationId), isNull(projects.deletedAt)));
  if (!row) throw notFound('This publication');
  const { publication, project, version } = row;
  if (!version) throw new AppError('conflict', 'This has no published version to print. Publish one first.');
  const kind = ctx.publicationKinds.find((each) => each.contentKind === publication.contentKind);
  if (!kind) throw new AppError('not_implemented', 'Publications of this kind cannot be printed.');
  const [settings, [view]] = await Promise.all([
    printSettingsOf(ctx.db, publicationId),
    publicationViews(ctx, ctx.db, [{ publication, project, abilities: [], isReadable: true }]),
  ]);
  const watermark = await watermarkOf(ctx, settings);
  const authors = view?.authors ?? [];
  const date = ctx.now().toISOString().slice(0, 10);
  const { title, description, publishedAt, coverAssetId } = publication;
  return {
    publication,
    ownerId: project.ownerId,
    versionId: version.id,
    number: version.number,
    settings,
    authors,
    date,
    key: hashOf([
      drawing,
      version.id,
      settings,
      title,
      description,
      publishedAt,
      settings.print_cover && coverAssetId,
      authors,
      settings.header_date && date,
      watermark,
    ]),
    watermark,
    draw() {
      const { sourceBlob, payload } = version;
      const part = { hasCharts: true, isPrinted: true, ...(settings.cell_ids ? { cellIds: settings.cell_ids } : {}) };
      return drawnLately(ctx, hashOf([sourceBlob, payload, part]), async () => {
        return (await kind.render(ctx, sourceBlob, payload, part)).html;
      });
    },
  };
}

const articles = appState(() => new Map<string, string>());
const mostKept = 32 * 1024 ** 2;

/** While settings are tried out, the article stays the same and only its page is drawn anew. */
async function drawnLately(ctx: Context, key: string, draw: () => Promise<string>): Promise<string> {
  const kept = articles(ctx);
  const html = kept.get(key) ?? (await draw());
  kept.delete(key);
  kept.set(key, html);
  let size = kept.values().reduce((sum, { length }) => sum + length, 0);
  for (const [oldest, { length }] of kept) {
    if (size <= mostKept) break;
    kept.delete(oldest);
    size -= length;
  }
  return html;
}

const hashOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22);
