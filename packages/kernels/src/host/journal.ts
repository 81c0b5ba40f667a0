import { sizeOf } from './presentable.ts';
import type { HostEvent, HostEventBody } from './types.ts';

/** Beyond this size the kernel is held: without a server that stores its events, it must not fill our memory. */
const fullBytes = 2 * 1024 ** 2;
/** It is released well before everything is stored. */
const emptyBytes = 1.5 * 1024 ** 2;
/** A held kernel may send this much more, so that it can receive its interrupt. */
const lastBytes = 2 * 1024 ** 2;

/** The events of one kernel that are not stored yet. */
export class Journal {
  readonly #kernelId: string;
  readonly #hold: (isHeld: boolean) => void;
  #events: { event: HostEvent; bytes: number }[] = [];
  #bytes = 0;
  #isHeld = false;
  #allowance = 0;
  #last = 0;

  constructor(kernelId: string, hold: (isHeld: boolean) => void) {
    this.#kernelId = kernelId;
    this.#hold = hold;
  }

  get last(): number {
    return this.#last;
  }

  get isEmpty(): boolean {
    return this.#events.length === 0;
  }

  add(body: HostEventBody): HostEvent {
    this.#last += 1;
    const event = { ...body, kernelId: this.#kernelId, sequence: this.#last, at: Date.now() };
    const bytes = 200 + sizeOf(body);
    this.#events.push({ event, bytes });
    this.#bytes += bytes;
    this.#weigh();
    return event;
  }

  after(sequence: number): HostEvent[] {
    return this.#events.filter(({ event }) => event.sequence > sequence).map(({ event }) => event);
  }

  stored(sequence: number): void {
    const kept = this.#events.findIndex(({ event }) => event.sequence > sequence);
    const gone = this.#events.splice(0, kept < 0 ? this.#events.length : kept);
    for (const { bytes } of gone) this.#bytes -= bytes;
    this.#weigh();
  }

  /** Releases a held kernel for its last messages, because it cannot receive an interrupt while held. */
  hear(): void {
    this.#allowance = lastBytes;
    this.#weigh();
  }

  #weigh(): void {
    const isHeld = this.#bytes > (this.#isHeld && this.#allowance === 0 ? emptyBytes : fullBytes + this.#allowance);
    if (this.#bytes < emptyBytes || (isHeld && !this.#isHeld)) this.#allowance = 0;
    if (isHeld === this.#isHeld) return;
    this.#isHeld = isHeld;
    this.#hold(isHeld);
  }
}
