import type { KernelMessage } from '@atoll/kernels/client';
import type { Write } from '../../../platform/context.ts';
import type { KernelSessionRow } from '../table.ts';

/** Whoever has a kernel opened wants to know about it. */
export interface Watcher {
  /** It is ready, or has ended: in the transaction in which that is stored. */
  stateChanged(write: Write, row: KernelSessionRow): Promise<void>;
  /** The code asks for something and waits. */
  asked(row: KernelSessionRow, executionId: string, question: { prompt: string; isPassword: boolean }): void;
  /** What widgets were told, in order: in the transaction in which the rest is stored. */
  comms(write: Write, row: KernelSessionRow, messages: KernelMessage[]): Promise<void>;
  /** Which of these executions are still what their cells show: it is about to be changed. */
  stillShown(write: Write, executionIds: string[]): Promise<string[]>;
}
