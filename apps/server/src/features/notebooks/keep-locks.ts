import { appState } from '../../platform/app-state.ts';
import type { Context } from '../../platform/context.ts';
import { KeptChannels } from '../../platform/realtime/kept-channels.ts';
import { keepLocks } from '../../platform/realtime/window-locks.ts';
import { endExpiredCellLocks, renewCellLocks } from './service/cells/locks.ts';

export const cellLockChannels = appState(() => new KeptChannels());

export const keepCellLocks = (ctx: Context): (() => void) =>
  keepLocks(ctx, cellLockChannels(ctx), {
    renew: (channelIds) => renewCellLocks(ctx, channelIds),
    endExpired: () => endExpiredCellLocks(ctx),
  });
