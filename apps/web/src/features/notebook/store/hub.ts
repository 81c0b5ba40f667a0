import type { CellShown, TopicEvent, topics } from '@atoll/contract';
import { Signals } from '../signals.ts';

type Events = (typeof topics)['notebook'];
export type Event<Name extends keyof Events['events'] & string> = TopicEvent<Events, Name>;

export interface StoreOptions {
  me: string;
  tag: string;
  /** `cause`: the error, from which the message may offer help. */
  notify(message: string, isError?: boolean, cause?: unknown): void;
  /** Loads the notebook again after a missed event. */
  reload(): void;
  /** Runs work once for all events between two frames. */
  schedule(work: () => void): void;
  onExecuted?(cellId: string, shown: CellShown): void;
  onComm?(message: Event<'comm'>): void;
  /** Called when the unsent edits change. */
  onUnsent?(): void;
}

const calmMs = 80;

/** The shared base of all parts of a store: listeners, and options for actions outside of it. */
export class Hub extends Signals {
  readonly options: StoreOptions;
  private readonly soon = new Set<string>();
  private readonly calm = new Set<string>();
  private isFrameAsked = false;
  private calming: ReturnType<typeof setTimeout> | undefined;

  constructor(options: StoreOptions) {
    super();
    this.options = options;
  }

  /** Notifies the listeners with the next frame. */
  emitSoon(key: string): void {
    this.soon.add(key);
    if (this.isFrameAsked) return;
    this.isFrameAsked = true;
    this.options.schedule(() => {
      this.isFrameAsked = false;
      this.emitAll(this.soon);
    });
  }

  /** Delays these signals, so that a short run is drawn once, with its result, and not also while it waits. */
  emitCalmly(keys: string[]): void {
    for (const key of keys) this.calm.add(key);
    this.calming ??= setTimeout(() => {
      this.calming = undefined;
      this.emitAll(this.calm);
    }, calmMs);
  }

  private emitAll(waiting: Set<string>): void {
    const keys = [...waiting];
    waiting.clear();
    for (const key of keys) this.emit(key);
  }
}
