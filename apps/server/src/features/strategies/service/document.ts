import { posix } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { extensionOf, type ProjectAbility, type StrategyDocument, strategyDocument } from '@atoll/contract';
import type { Language } from '@atoll/trading/backtest/hosts/host';
import { and, eq, isNull } from 'drizzle-orm';
import { readBlob } from '../../../platform/blobs.ts';
import type { Context } from '../../../platform/context.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { type FileRow, files } from '../../files/table.ts';
import { requireProject } from '../../projects/service/access.ts';
import type { ProjectRow } from '../../projects/table.ts';

const largestCode = 512 * 1024;

export type StrategyPermission = 'strategy.view' | 'strategy.test' | 'strategy.run';
const projectPermission = {
  'strategy.view': 'project.view_source',
  'strategy.test': 'project.execute',
  'strategy.run': 'project.execute',
} as const;

export interface FoundStrategy {
  file: FileRow;
  project: ProjectRow;
  abilities: ProjectAbility[];
}

/** The `.strat` file, for who may do this with its project; who cannot see it learns nothing. */
export async function requireStrategy(
  ctx: Context,
  fileId: string,
  permission: StrategyPermission,
): Promise<FoundStrategy> {
  const [file] = await ctx.db
    .select()
    .from(files)
    .where(and(eq(files.id, fileId), isNull(files.deletedAt)));
  if (!file || extensionOf(file.path) !== 'strat') throw notFound('This strategy');
  const { project, abilities } = await requireProject(ctx, ctx.db, file.projectId, projectPermission[permission]);
  ctx.authorize(permission, { abilities });
  return { file, project, abilities };
}

export async function readText(ctx: Context, blob: string): Promise<string> {
  return (await buffer(await readBlob(ctx, blob))).toString('utf8');
}

export interface Code {
  path: string;
  blob: string;
  fileId: string;
  language: Language;
}

export const languageOf = (path: string): Language => (extensionOf(path) === 'py' ? 'python' : 'typescript');

const unusable = (message: string) => new AppError('unprocessable_entity', message, { fields: { code: [message] } });

export async function readDocument(ctx: Context, file: FileRow): Promise<StrategyDocument> {
  let value: unknown;
  try {
    value = JSON.parse(await readText(ctx, file.blob));
  } catch (error) {
    if (error instanceof SyntaxError) throw unusable(`${file.path} is not valid JSON: ${error.message}`);
    throw error;
  }
  const format = (value as { format?: unknown } | null)?.format;
  if (typeof format === 'number' && format > 1) {
    throw unusable(`${file.path} was written by a newer version of this product, and can only be read as text.`);
  }
  const parsed = strategyDocument.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw unusable(`${file.path}: ${issue?.path.join('.') || 'the file'}: ${issue?.message ?? 'cannot be read'}`);
}

/** The code that the document names, which lies beside it. */
export async function findCode(ctx: Context, file: FileRow, document: StrategyDocument): Promise<Code> {
  const path = posix.join(posix.dirname(file.path), document.code);
  if (path.startsWith('..') || !['ts', 'py'].includes(extensionOf(path)))
    throw unusable('The code must be a .ts or .py file of this project.');
  const [code] = await ctx.db
    .select()
    .from(files)
    .where(and(eq(files.projectId, file.projectId), eq(files.path, path), isNull(files.deletedAt)));
  if (!code) throw unusable(`There is no file ${path}. Create it, or name another one in ${file.path}.`);
  if (code.size > largestCode) throw unusable(`${path} is too large for a strategy.`);
  return { path, blob: code.blob, fileId: code.id, language: languageOf(path) };
}
