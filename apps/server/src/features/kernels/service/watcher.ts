import type { KernelMessage } from '@atoll/kernels/client';
import type { Write } from '../../../platform/context.ts';
import type { KernelSessionRow } from '../table.ts';

/** The feature that opened a kernel watches it. */
export interface Watcher {
  /** It is ready or has ended; called in the transaction that stores this. */
  stateChanged(write: Write, row: KernelSessionRow): Promise<void>;
  /** The code waits for input. */
  asked(row: KernelSessionRow, executionId: string, question: { prompt: string; isPassword: boolean }): void;
  /** The messages to widgets, in order; called in the transaction that stores the outputs. */
  comms(write: Write, row: KernelSessionRow, messages: KernelMessage[]): Promise<void>;
  /** Returns those of these executions that their cells still show; called before their outputs change. */
  stillShown(write: Write, executionIds: string[]): Promise<string[]>;
}
