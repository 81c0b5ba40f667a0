import type { Person } from '../../../../platform/actor.ts';
import type { Context } from '../../../../platform/context.ts';
import { requireProject } from '../../../projects/service/access.ts';
import type { Address } from '../address.ts';
import {
  codeMs,
  completions,
  documentation,
  executeCode,
  frameColumns,
  framePage,
  listVariables,
} from '../kernel/snippets.ts';
import { sendComm, widgetsOf } from '../kernel/widgets.ts';
import { otherOwner, ownershipOf } from './owner.ts';

/** Requests that only the server with the notebook's kernel can answer. */
const answers = {
  completions,
  documentation,
  executeCode,
  frameColumns,
  framePage,
  listVariables,
  sendComm,
  widgetsOf,
};
type Answers = typeof answers;
type Arguments<Name extends keyof Answers> =
  Parameters<Answers[Name]> extends [Context, Address, ...infer Rest] ? Rest : never;
type Answer<Name extends keyof Answers> = Awaited<ReturnType<Answers[Name]>>;

const subject = 'notebook.ask';

interface Asked {
  person: Person;
  address: Address;
  name: keyof Answers;
  args: unknown[];
}

/** Runs the request here, or on the server that has the kernel. */
export async function atOwner<Name extends keyof Answers>(
  ctx: Context,
  address: Address,
  name: Name,
  ...args: Arguments<Name>
): Promise<Answer<Name>> {
  const owner = ownershipOf(ctx).has(address.fileId) ? null : await otherOwner(ctx, address);
  if (!owner) return call(ctx, { address, name, args }) as Promise<Answer<Name>>;
  const permission = name === 'widgetsOf' ? 'project.view_source' : 'project.execute';
  await requireProject(ctx, ctx.db, address.projectId, permission);
  const { kind, userId, isAdmin, impersonatorId } = ctx.actor;
  const asked: Asked = { person: { kind, userId, isAdmin, impersonatorId }, address, name, args };
  const answerMs = name === 'executeCode' ? codeMs + 15_000 : undefined;
  return (await ctx.peers.ask(owner, subject, JSON.parse(JSON.stringify(asked)), answerMs)) as Answer<Name>;
}

const call = (ctx: Context, { address, name, args }: Omit<Asked, 'person'>) =>
  (answers[name] as (...args: unknown[]) => Promise<unknown>)(ctx, address, ...args);

/** Answers in the name of the caller at the other server: the services check their rights as they do here. */
export function answerOthers(ctx: Context): void {
  ctx.peers.answer(subject, async (payload) => {
    const { person, ...asked } = payload as unknown as Asked;
    return JSON.parse(JSON.stringify(await call(ctx.as(person), asked)));
  });
}
