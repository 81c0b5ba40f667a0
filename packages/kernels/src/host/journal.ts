import { sizeOf } from './presentable.ts';
import type { HostEvent, HostEventBody } from './types.ts';

/** Beyond this the kernel is held: with nobody to store what it says, it must not fill our memory. */
const fullBytes = 2 * 1024 ** 2;
/** It goes on well before it is all stored. */
const emptyBytes = 1.5 * 1024 ** 2;
/** So much more from one who is held and has to hear that it is interrupted. */
const lastBytes = 2 * 1024 ** 2;

/** What one kernel has said and nobody has stored yet. */
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

  /** Who is held hears nothing: let go, to say its last words. */
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
