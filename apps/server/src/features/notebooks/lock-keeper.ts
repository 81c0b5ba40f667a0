import { appState } from '../../platform/app-state.ts';
import type { Context } from '../../platform/context.ts';
import { KeptChannels } from '../../platform/realtime/kept-channels.ts';
import { cellLockLife, endExpiredCellLocks, renewCellLocks } from './service/cells/locks.ts';

export const cellLockChannels = appState(() => new KeptChannels());

export function watchCellLocks(ctx: Context): () => void {
  const channels = cellLockChannels(ctx);
  const timer = setInterval(async () => {
    try {
      await renewCellLocks(ctx, channels.ids);
      await endExpiredCellLocks(ctx);
    } catch (error) {
      ctx.log.error({ error }, 'Locks of cells could not be looked after');
    }
  }, cellLockLife / 4);
  return () => {
    clearInterval(timer);
    channels.stop();
  };
}
