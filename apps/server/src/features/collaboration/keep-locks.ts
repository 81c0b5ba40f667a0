import { appState } from '../../platform/app-state.ts';
import type { Context } from '../../platform/context.ts';
import { KeptChannels } from '../../platform/realtime/kept-channels.ts';
import { keepLocks } from '../../platform/realtime/window-locks.ts';
import { endExpiredLocks, renewLocks } from './service.ts';

export const fileLockChannels = appState(() => new KeptChannels());

export const keepFileLocks = (ctx: Context): (() => void) =>
  keepLocks(ctx, fileLockChannels(ctx), {
    renew: (channelIds) => renewLocks(ctx, channelIds),
    endExpired: () => endExpiredLocks(ctx),
  });
