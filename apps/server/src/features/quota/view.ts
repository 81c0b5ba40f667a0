import type { Quota } from '@atoll/contract';

/** Somebody's balances of the present period, in milliseconds. */
export interface Standing {
  used: number;
  reserved: number;
  /** What is left of the extension, and what runs in progress hold of it. */
  extension: number;
  extensionReserved: number;
  /** What runs in progress have used so far, and how much of that is the month's own. */
  running: number;
  runningOwn: number;
  projects: number;
}

interface Limits {
  executionMs: number | null;
  projects: number | null;
  renewsAt: Date | null;
}

const seconds = (ms: number) => Math.round(ms / 1000);

export const quotaView = (standing: Standing, limits: Limits): Quota => ({
  execution_used: seconds(standing.used + standing.runningOwn),
  execution_reserved: seconds(standing.reserved + standing.extensionReserved - standing.running),
  subscription_total: limits.executionMs === null ? null : seconds(limits.executionMs),
  extension_balance: seconds(standing.extension),
  projects_used: standing.projects,
  projects_total: limits.projects,
  renews_at: limits.renewsAt?.toISOString() ?? null,
});
