import type { KernelMessage } from '@atoll/kernels/client';
import { type Mask, maskedFields, type Widget } from '@atoll/notebook';
import { addComm, takeInComm, tellable } from './comms.ts';
import { WidgetOutputs } from './widget-outputs.ts';

/** The widgets of one kernel, as far as we have heard, and what they were told. */
export class Widgets {
  readonly #widgets = new Map<string, Widget>();
  readonly #outputs = new WidgetOutputs();
  readonly #told: KernelMessage[] = [];

  all = (): Record<string, Widget> => Object.fromEntries(this.#widgets);
  forget = (): void => this.#widgets.clear();
  /** What they were told since the last time. */
  take = (): KernelMessage[] => this.#told.splice(0);

  /** Whether it was meant for one of them. */
  hear(message: KernelMessage, mask: Mask): boolean {
    const told = message.type.startsWith('comm_')
      ? tellable({ ...message, content: maskedFields(message.content, mask) as KernelMessage['content'] })
      : this.#outputs.take(this.#widgets, message, mask);
    if (!told) return false;
    takeInComm(this.#widgets, told);
    addComm(this.#told, told);
    return true;
  }
}
