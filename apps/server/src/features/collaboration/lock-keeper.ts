import { appState } from '../../platform/app-state.ts';
import type { Context } from '../../platform/context.ts';
import { KeptChannels } from '../../platform/realtime/kept-channels.ts';
import { endExpiredLocks, lockLife, renewLocks } from './service.ts';

export const fileLockChannels = appState(() => new KeptChannels());

export function keepLocks(ctx: Context): () => void {
  const channels = fileLockChannels(ctx);
  const timer = setInterval(async () => {
    await renewLocks(ctx, channels.ids).catch((error: unknown) =>
      ctx.log.error({ error }, 'Locks could not be renewed'),
    );
    await endExpiredLocks(ctx).catch((error: unknown) => ctx.log.error({ error }, 'Old locks could not be ended'));
  }, lockLife / 4);
  return () => {
    clearInterval(timer);
    channels.stop();
  };
}
