import { appState } from '../../../platform/app-state.ts';
import type { Context } from '../../../platform/context.ts';
import type { ConnectionRow } from '../table.ts';
import { reconcile } from './reconcile.ts';

const refreshMs = 3_000;
const lately = appState(() => new Map<string, number>());

/** Who looks at their account sees what happened to their orders since, without the exchange being asked at every look. */
export async function refresh(ctx: Context, connection: ConnectionRow): Promise<void> {
  const now = ctx.now().getTime();
  const last = lately(ctx).get(connection.id);
  if (last !== undefined && Math.abs(now - last) < refreshMs) return;
  lately(ctx).set(connection.id, now);
  await reconcile(ctx, connection);
}
