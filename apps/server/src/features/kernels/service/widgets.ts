import type { KernelMessage } from '@atoll/kernels/client';
import { type Mask, maskedFields, type Widget } from '@atoll/notebook';
import { addComm, type KeptWidget, takeInComm } from './comms.ts';
import { WidgetOutputs } from './widget-outputs.ts';

/** The widgets of one kernel, as far as we have heard, and what they were told. */
export class Widgets {
  readonly #widgets = new Map<string, KeptWidget>();
  readonly #outputs = new WidgetOutputs();
  readonly #told: KernelMessage[] = [];

  all = (): Record<string, Widget> =>
    Object.fromEntries([...this.#widgets].map(([id, { state, buffers }]) => [id, { state, buffers }]));
  forget = (): void => this.#widgets.clear();
  /** What they were told since the last time. */
  take = (): KernelMessage[] => this.#told.splice(0);

  /** Whether it was meant for one of them. */
  hear(message: KernelMessage, mask: Mask): boolean {
    const told = message.type.startsWith('comm_')
      ? { ...message, content: maskedFields(message.content, mask) as KernelMessage['content'] }
      : this.#outputs.take(this.#widgets, message, mask);
    if (!told) return false;
    takeInComm(this.#widgets, told);
    addComm(this.#told, told);
    return true;
  }
}
