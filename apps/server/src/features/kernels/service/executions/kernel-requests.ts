import type { CellOutput } from '@atoll/contract';
import type { HostEvent, KernelMessage } from '@atoll/kernels/client';
import { type Collected, collect, type Mask, nothingCollected, sizeOfChange } from '@atoll/notebook';
import { type Outcome, outcomeOf } from '../running-execution.ts';

export interface Answer {
  outcome: Outcome;
  outputs: CellOutput[];
  expressions: Record<string, unknown>;
}

export const unanswered = (outcome: Outcome): Answer => ({ outcome, outputs: [], expressions: {} });

/** The largest output kept of one request beside the cells. */
const askedLimit = 1024 ** 2;

/** Requests that run beside the stored executions: the caller waits for the answer, and nothing of it is stored. */
export class KernelRequests {
  readonly #asked = new Map<string, PromiseWithResolvers<Answer> & { collected: Collected; size: number }>();

  begin(id: string): Promise<Answer> {
    const asked = { ...Promise.withResolvers<Answer>(), collected: nothingCollected(), size: 0 };
    this.#asked.set(id, asked);
    return asked.promise;
  }

  forget(id: string): void {
    this.#asked.delete(id);
  }

  /** Returns whether the message belongs to one of these requests. */
  hear(message: KernelMessage, mask: Mask): boolean {
    const asked = this.#asked.get(message.executionId ?? '');
    if (!asked) return false;
    for (const change of asked.size > askedLimit ? [] : collect(asked.collected, message, mask))
      asked.size += sizeOfChange(change);
    return true;
  }

  /** Returns whether the event belongs to one of these requests. */
  finish(event: Extract<HostEvent, { type: 'finished' }>, stop: { reason: string; message: string } | null): boolean {
    const asked = this.#asked.get(event.executionId);
    if (!asked) return false;
    const outputs = asked.collected.outputs.map(({ output }) => output);
    const outcome = outcomeOf(event, stop, 'It took longer than it may.');
    asked.resolve({ outcome, outputs, expressions: event.result.userExpressions });
    return true;
  }

  /** Answers all requests, because the kernel has ended. */
  end(outcome: Outcome): void {
    for (const { resolve } of this.#asked.values()) resolve(unanswered(outcome));
  }
}
