import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { appState } from '../../../platform/app-state.ts';
import type { Context } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import type { KernelSessionRow } from '../../kernels/table.ts';
import { isOwnAndRead, othersMayChange } from '../../projects/service/others.ts';
import { projects } from '../../projects/table.ts';
import { findUser, personOf } from '../../users/service.ts';

/**
 * Marks a call of the server by code in a notebook with the module `atoll`. The call arrives as a prompt that begins with
 * it.
 */
const marker = '@@atoll-call ';

const kernelCall = z.strictObject({
  id: z.uuid(),
  call: z.string().max(100),
  arguments: z.record(z.string(), z.unknown()),
});

export interface KernelCall {
  /** The same id when the call is received again after the server was killed. */
  id: string;
  arguments: Record<string, unknown>;
  /** True for the person's own notebook in which no one else may write or run code; the rule of their secrets. */
  isAlone: boolean;
  /** The cell runs because they pressed a key, and not by itself, by the assistant, or by an admin in their name. */
  isInPerson: boolean;
}

/** Runs in the name of the person whose kernel it is, with their rights and no others. */
type Answer = (ctx: Context, call: KernelCall) => Promise<unknown>;

/** The calls that features offer to code, by name. */
export const offeredCalls = appState(() => new Map<string, Answer>());

/** Queued cells that people started themselves; a restart of the server empties it, so that no cell counts as such then. */
export const inPersonJobs = appState(() => new Set<string>());

export const isInPerson = ({ actor }: Context): boolean =>
  actor.kind === 'user' && actor.impersonatorId === null && (actor.via === 'cookie' || actor.via === 'bearer');

/** Returns null for a prompt that people must answer. */
export function answerTo(
  ctx: Context,
  session: KernelSessionRow,
  executionId: string,
  prompt: string,
): Promise<string> | null {
  if (!prompt.startsWith(marker)) return null;
  return answer(ctx, session, executionId, prompt.slice(marker.length)).then(
    (value) => JSON.stringify({ value }),
    (error: unknown) => {
      if (!(error instanceof AppError)) ctx.log.error({ error, execution: executionId }, 'A call of code failed');
      return JSON.stringify({ error: error instanceof AppError ? error.message : 'The server could not do this.' });
    },
  );
}

async function answer(ctx: Context, session: KernelSessionRow, executionId: string, text: string): Promise<unknown> {
  const { id, call, arguments: given } = read(text);
  const work = offeredCalls(ctx).get(call);
  if (!work) throw new AppError('not_found', `This server offers no ${call}.`);
  const user = await findUser(ctx.db, session.userId);
  if (!user || user.suspendedAt || user.deletedAt) throw new AppError('forbidden', 'The account is not active.');
  const person = ctx.as(personOf(user));
  await person.limits.take('ask', user.id);
  return work(person, {
    ...{ id, arguments: given, isInPerson: inPersonJobs(ctx).has(executionId) },
    isAlone: await isAlone(ctx, session),
  });
}

function read(text: string): z.output<typeof kernelCall> {
  try {
    return kernelCall.parse(JSON.parse(text));
  } catch {
    throw new AppError('bad_request', 'This call was not understood.');
  }
}

async function isAlone({ db }: Context, { projectId, userId }: KernelSessionRow): Promise<boolean> {
  if (!projectId) return false;
  const [project] = await db.select({ isHidden: projects.isHidden }).from(projects).where(eq(projects.id, projectId));
  // The reader of a publication owns the copy, but another person wrote its code.
  if (!project || project.isHidden || !(await isOwnAndRead(db, projectId, userId))) return false;
  return !(await othersMayChange(db, projectId));
}
