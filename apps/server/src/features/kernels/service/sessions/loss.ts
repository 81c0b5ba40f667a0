import type { HostEvent } from '@atoll/kernels/client';

interface Lost {
  kernelId: string;
  executionIds: string[];
  message: string;
  /** The last that was heard. */
  sequence: number;
  at: number;
  /** How long what ran has taken. */
  milliseconds: number;
}

/** What a host that is gone would have said of the end of its kernel and of what ran there. */
export function wordsOfLoss({ kernelId, executionIds, message, sequence, at, milliseconds }: Lost): HostEvent[] {
  const end = { reason: 'lost' as const, message, exitCode: null, signal: null };
  const result = { status: 'ended' as const, executionCount: null, error: null, userExpressions: {}, end };
  return [
    ...executionIds.map((executionId) => ({
      type: 'finished' as const,
      executionId,
      result,
      milliseconds,
      overrun: null,
    })),
    { type: 'ended' as const, end },
  ].map((event, index) => ({ ...event, kernelId, sequence: sequence + 1 + index, at }));
}
