import { changesOf } from '../../../platform/action-log/changes.ts';
import { recordAction } from '../../../platform/action-log/record.ts';
import type { Context } from '../../../platform/context.ts';

type Fields = Record<string, unknown>;
const fieldsOf = (thing: object | null): Fields | null => thing && Object.fromEntries(Object.entries(thing));

interface Act<Result> {
  /** Begins with what it is about. */
  action: string;
  /** Of what there is already. */
  id?: string;
  before?(inner: Context): Promise<object | null>;
  act(inner: Context): Promise<Result>;
}

/** An act of another feature, with its entry in the log: both are stored, or neither. */
export async function recorded<Result extends object | undefined>(
  ctx: Context,
  { action, id, before, act }: Act<Result>,
): Promise<Result> {
  return ctx.write(async (write) => {
    const inner = ctx.within(write);
    const old = fieldsOf((await before?.(inner)) ?? null);
    const result = await act(inner);
    const now = fieldsOf(result ?? null);
    const [type = action] = action.split('.');
    const name = (now ?? old)?.title ?? (now ?? old)?.code;
    const changes = old && now ? changesOf(old, now) : { before: old, after: now };
    await recordAction(ctx, write, {
      action,
      subject: { type, id: id ?? String(now?.id ?? '') },
      before: changes.before,
      // A change of one field is listed under the name of what it is about.
      after: changes.after && { ...(name !== undefined && { name }), ...changes.after },
    });
    return result;
  });
}
