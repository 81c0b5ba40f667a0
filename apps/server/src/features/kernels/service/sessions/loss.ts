import type { HostEvent } from '@atoll/kernels/client';

interface Lost {
  kernelId: string;
  executionIds: string[];
  message: string;
  /** The last received sequence. */
  sequence: number;
  at: number;
  /** The time that the running executions have taken. */
  milliseconds: number;
}

/** The events that a lost host would have sent about the end of its kernel and executions. */
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
