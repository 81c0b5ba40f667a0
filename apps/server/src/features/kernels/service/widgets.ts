import type { KernelMessage } from '@atoll/kernels/client';
import { type Mask, maskedFields } from '@atoll/notebook';
import { addComm, takeInComm } from './comms.ts';
import { WidgetOutputs } from './widget-outputs.ts';

/** The widgets of one kernel, as far as we have heard, and what they were told. */
export class Widgets {
  readonly #states = new Map<string, Record<string, unknown>>();
  readonly #outputs = new WidgetOutputs();
  readonly #told: KernelMessage[] = [];

  all = (): Record<string, Record<string, unknown>> => Object.fromEntries(this.#states);
  forget = (): void => this.#states.clear();
  /** What they were told since the last time. */
  take = (): KernelMessage[] => this.#told.splice(0);

  /** Whether it was meant for one of them. */
  hear(message: KernelMessage, mask: Mask): boolean {
    const told = message.type.startsWith('comm_')
      ? { ...message, content: maskedFields(message.content, mask) as KernelMessage['content'] }
      : this.#outputs.take(this.#states, message, mask);
    if (!told) return false;
    takeInComm(this.#states, told);
    addComm(this.#told, told);
    return true;
  }
}
