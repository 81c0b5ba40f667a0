import type { FramePage, Variable } from '@atoll/contract';
import { and, eq, ilike, isNull } from 'drizzle-orm';
import type { Context } from '../../../../platform/context.ts';
import { AppError, invalidField, notFound } from '../../../../platform/errors.ts';
import { containing } from '../../../../platform/like.ts';
import { readTable } from '../../../files/service/data.ts';
import { files } from '../../../files/table.ts';
import type { LiveSession } from '../../../kernels/service/live-session.ts';
import { requireProject } from '../../../projects/service/access.ts';
import type { Address } from '../address.ts';
import { lockNotebook } from '../document/adopt.ts';
import { openSession, usableSession } from './session.ts';

/** The client retries this error for a while. */
const busy = () =>
  new AppError('conflict', 'The kernel is busy. Try again in a moment.', { details: { reason: 'busy' } });
const noKernel = () =>
  new AppError('conflict', 'No kernel is running. Run a cell first.', { details: { reason: 'no_kernel' } });

const askMs = 5_000;
export const codeMs = 60_000;

async function requireIdle(ctx: Context, address: Address): Promise<LiveSession> {
  await requireProject(ctx, ctx.db, address.projectId, 'project.execute');
  const live = await usableSession(ctx, address);
  if (!live) throw noKernel();
  if (live.isBusy) throw busy();
  return live;
}

/** Calls a function of the helper in the kernel. Its answer is JSON in Base64, which no later step can cut or change. */
async function askHelper<Result>(live: LiveSession, call: string): Promise<Result> {
  const expression = `__import__('atoll_kernel').${call}`;
  const { expressions, outcome } = await live.ask('', { answer: expression }, askMs);
  const answer = expressions.answer as { status?: string; data?: Record<string, string>; evalue?: string } | undefined;
  const text = answer?.data?.['text/plain'];
  if (outcome.state === 'aborted') throw busy();
  if (answer?.status !== 'ok' || typeof text !== 'string') {
    throw new AppError('unprocessable_entity', 'This kernel does not support that.', {
      details: { reason: 'unsupported' },
    });
  }
  const value = answerIn(text) as (Result & { problem?: string }) | null;
  if (value === null) throw new AppError('unprocessable_entity', 'What the kernel answered cannot be read.');
  if (typeof value === 'object' && value !== null && typeof value.problem === 'string') {
    throw new AppError('unprocessable_entity', value.problem);
  }
  return value;
}

/** Code in the kernel can replace the helper, so the answer may be invalid. */
function answerIn(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text.slice(1, -1), 'base64').toString());
  } catch {
    return null;
  }
}

/** Converts JSON to a Python expression. */
const python = (value: unknown): string =>
  `__import__('json').loads(${JSON.stringify(JSON.stringify(value).toWellFormed())})`;

export async function listVariables(ctx: Context, address: Address): Promise<{ variables: Variable[] }> {
  const live = await requireIdle(ctx, address);
  return { variables: await askHelper<Variable[]>(live, 'variables(globals())') };
}

export async function frameColumns(ctx: Context, address: Address, name: string) {
  const live = await requireIdle(ctx, address);
  return askHelper<{ columns: { name: string; type: string }[] }>(live, `columns(globals(), ${python(name)})`);
}

export async function framePage(ctx: Context, address: Address, query: Record<string, unknown>): Promise<FramePage> {
  if (query.frame_id === undefined && query.name === undefined) throw invalidField('name', 'Name a table');
  const live = await requireIdle(ctx, address);
  return askHelper<FramePage>(live, `page(globals(), **${python(query)})`);
}

/** Requires the right to edit, because output of the code becomes part of the project. */
export async function executeCode(ctx: Context, address: Address, code: string) {
  await requireProject(ctx, ctx.db, address.projectId, 'project.execute');
  await requireProject(ctx, ctx.db, address.projectId, 'project.edit');
  // A notebook without changes has no row yet, and the row is needed to store its kernel.
  await ctx.write((write) => lockNotebook(write, address));
  const live = await openSession(ctx, address);
  if (live.isBusy) throw busy();
  const { outcome, outputs } = await live.ask(code, {}, codeMs);
  return { outputs, state: outcome.state };
}

/** The first answer of a kernel is slow, because it loads half of its libraries. */
const completeMs = 5_000;

/** Limits the wait, because a busy kernel answers too late to be useful. */
function inTime<Result>(work: Promise<Result>): Promise<Result | null> {
  return Promise.race([
    work.catch(() => null),
    new Promise<null>((resolve) => setTimeout(() => resolve(null), completeMs).unref()),
  ]);
}

export async function completions(ctx: Context, address: Address, code: string, cursor: number) {
  await requireProject(ctx, ctx.db, address.projectId, 'project.execute');
  const live = await usableSession(ctx, address);
  const found = live && !live.isBusy ? await inTime(live.host.complete(live.row.id, code, cursor)) : null;
  if (!found) return { matches: [], from: cursor, to: cursor };
  const kinds = found.metadata._jupyter_types_experimental;
  const byText = new Map(
    (Array.isArray(kinds) ? kinds : []).map((kind) => {
      const { text, type, signature } = (kind ?? {}) as Record<string, unknown>;
      return [text, { type, signature }];
    }),
  );
  const texts = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
  return {
    matches: found.matches.slice(0, 500).map((text) => {
      const kind = byText.get(text);
      return { text, type: texts(kind?.type), signature: texts(kind?.signature) };
    }),
    from: found.from,
    to: found.to,
  };
}

export async function documentation(ctx: Context, address: Address, code: string, cursor: number, detail: 0 | 1) {
  await requireProject(ctx, ctx.db, address.projectId, 'project.execute');
  const live = await usableSession(ctx, address);
  const data = live && !live.isBusy ? await inTime(live.host.inspect(live.row.id, code, cursor, detail)) : null;
  return { data: data as Record<string, unknown> | null };
}

export async function projectFiles(ctx: Context, address: Address, search: string) {
  await requireProject(ctx, ctx.db, address.projectId, 'project.view_source');
  const rows = await ctx.db
    .select({ path: files.path, size: files.size })
    .from(files)
    .where(
      and(
        eq(files.projectId, address.projectId),
        isNull(files.deletedAt),
        search ? ilike(files.path, containing(search)) : undefined,
      ),
    )
    .orderBy(files.pathKey)
    .limit(1_000);
  return { files: rows };
}

export async function excelSheets(ctx: Context, address: Address, path: string) {
  await requireProject(ctx, ctx.db, address.projectId, 'project.view_source');
  const [file] = await ctx.db
    .select({ id: files.id })
    .from(files)
    .where(and(eq(files.projectId, address.projectId), eq(files.path, path), isNull(files.deletedAt)));
  if (!file) throw notFound('This file');
  const which = { projectId: address.projectId, fileId: file.id, versionId: null };
  const { sheets } = await readTable(ctx, which, { page: 1, pageSize: 1, sort: null, filters: [] });
  if (!sheets) throw invalidField('path', 'This file is not a workbook');
  return { sheets };
}
