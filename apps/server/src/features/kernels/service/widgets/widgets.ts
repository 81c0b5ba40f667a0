import type { KernelMessage } from '@atoll/kernels/client';
import { type Mask, maskedFields, type Widget } from '@atoll/notebook';
import { addComm, publishable, takeInComm } from './comms.ts';
import { WidgetOutputs } from './widget-outputs.ts';

/** The widgets of one kernel, as far as their messages have arrived, and the messages to publish. */
export class Widgets {
  readonly #widgets = new Map<string, Widget>();
  readonly #outputs = new WidgetOutputs();
  readonly #unpublished: KernelMessage[] = [];

  all = (): Record<string, Widget> => Object.fromEntries(this.#widgets);
  forget = (): void => this.#widgets.clear();
  /** Takes the messages since the last call. */
  take = (): KernelMessage[] => this.#unpublished.splice(0);

  /** Returns whether the message was for one of them. */
  hear(message: KernelMessage, mask: Mask): boolean {
    const comm = message.type.startsWith('comm_')
      ? publishable({ ...message, content: maskedFields(message.content, mask) as KernelMessage['content'] })
      : this.#outputs.take(this.#widgets, message, mask);
    if (!comm) return false;
    takeInComm(this.#widgets, comm);
    addComm(this.#unpublished, comm);
    return true;
  }
}
