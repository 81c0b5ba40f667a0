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

/** How much is kept of what is asked for beside the cells. */
const askedLimit = 1024 ** 2;

/** What is run beside the executions that are kept: whoever asked waits for it, and nothing of it is stored. */
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

  /** Whether it was said by something that was asked. */
  hear(message: KernelMessage, mask: Mask): boolean {
    const asked = this.#asked.get(message.executionId ?? '');
    if (!asked) return false;
    for (const change of asked.size > askedLimit ? [] : collect(asked.collected, message, mask))
      asked.size += sizeOfChange(change);
    return true;
  }

  /** Whether it was something that was asked. */
  finish(event: Extract<HostEvent, { type: 'finished' }>, stop: { reason: string; message: string } | null): boolean {
    const asked = this.#asked.get(event.executionId);
    if (!asked) return false;
    const outputs = asked.collected.outputs.map(({ output }) => output);
    const outcome = outcomeOf(event, stop, 'It took longer than it may.');
    asked.resolve({ outcome, outputs, expressions: event.result.userExpressions });
    return true;
  }

  /** The kernel is gone. */
  end(outcome: Outcome): void {
    for (const { resolve } of this.#asked.values()) resolve(unanswered(outcome));
  }
}
