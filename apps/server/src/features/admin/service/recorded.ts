import { recordAction } from '../../../platform/action-log/record.ts';
import type { Context } from '../../../platform/context.ts';

/** An act of another feature, with its entry in the log: both are stored, or neither. `action` begins with what it is about. */
export async function recorded<Result extends object>(
  ctx: Context,
  action: string,
  id: string | null,
  act: (inner: Context) => Promise<Result>,
): Promise<Result> {
  return ctx.write(async (write) => {
    const result = await act(ctx.within(write));
    const about = id ?? ('id' in result ? String(result.id) : '');
    const [type = action] = action.split('.');
    await recordAction(ctx, write, {
      action,
      subject: { type, id: about },
      after: Object.fromEntries(Object.entries(result)),
    });
    return result;
  });
}
