import type { LockHolder } from '@atoll/contract';
import { RealtimeError } from '../../platform/realtime/errors.ts';
import { type Subscription, subscribe } from '../../platform/realtime/realtime.ts';
import { windowTag } from './window-tag.ts';

/** The part of a document that its lock needs. */
export interface Holdable {
  readonly isDirty: boolean;
  /** Blocks saving while it is held. */
  hold(isHeld: boolean): void;
  save(): Promise<void>;
}

export interface LockView {
  /** The person who edits it, when it is not this window. */
  other: LockHolder | null;
  /** Whether they took the lock from this window. */
  wasTaken: boolean;
  isMine: boolean;
}

interface Address {
  projectId: string;
  fileId: string;
}

const free: LockView = { other: null, wasTaken: false, isMine: false };
/** A lock is released after this time without typing, once everything is saved, so that others can edit. */
const idleMs = 60_000;

/**
 * The lock of one file that is open for editing. Without a connection there is no lock and people may type: nothing is lost
 * then either, because saving over another person's version is a conflict to be decided.
 */
export class FileLock {
  private view = free;
  private isAsking = false;
  private idle: ReturnType<typeof setTimeout> | undefined;
  private readonly me: string;
  private readonly document: Holdable;
  private readonly subscription: Subscription<'lock'>;
  private readonly listeners = new Set<() => void>();

  constructor(address: Address, me: string, document: Holdable) {
    this.me = me;
    this.document = document;
    this.subscription = subscribe('lock', address, {
      on: { lock_changed: ({ holder }) => this.become(holder) },
      onJoined: ({ holder }) => {
        const wasMine = this.view.isMine;
        this.become(holder);
        // The server keeps a lock for the connection that acquired it, and this is a new one.
        if (wasMine && this.view.isMine) void this.acquire(false);
      },
      onLost: () => this.show(free),
    });
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  getView = (): LockView => this.view;

  /** Takes the lock when the text was edited. */
  typed = (): void => {
    this.waitForIdle();
    if (!this.view.isMine) void this.acquire(false);
  };

  takeOver = (): Promise<void> => this.acquire(true);

  /** Releases the lock once everything is saved. */
  async close(): Promise<void> {
    await this.document.save();
    await this.release();
    this.subscription.leave(true);
  }

  private async acquire(takeover: boolean): Promise<void> {
    if (this.isAsking) return;
    this.isAsking = true;
    try {
      const { holder } = await this.subscription.send('acquire', { tag: windowTag(), takeover });
      this.waitForIdle();
      this.become(holder);
    } catch (error) {
      if (!(error instanceof RealtimeError)) throw error;
      // Another person was first: the text that was typed here stays, and is not saved over theirs.
      if (error.reason === 'locked') this.become(error.details.holder as LockHolder | null);
      else if (takeover) throw error;
    } finally {
      this.isAsking = false;
    }
  }

  private async release(): Promise<void> {
    clearTimeout(this.idle);
    if (!this.view.isMine) return;
    this.show(free);
    // A lock that cannot be released now ends with the connection.
    await this.subscription.send('release', {}).catch(() => {});
  }

  private waitForIdle(): void {
    clearTimeout(this.idle);
    this.idle = setTimeout(() => (this.document.isDirty ? this.waitForIdle() : void this.release()), idleMs);
  }

  private become(holder: LockHolder | null): void {
    const { isMine: wasMine, other, wasTaken } = this.view;
    const isMine = holder?.user.id === this.me && holder.tag === windowTag();
    if (!holder || isMine) {
      this.show({ ...free, isMine });
      // The holder has left, or the server dropped this window's lock while it was disconnected.
      if (!holder && (wasMine || (other && this.document.isDirty))) void this.acquire(false);
      return;
    }
    const isSame = other?.user.id === holder.user.id && other.tag === holder.tag;
    this.document.hold(true);
    this.show({ other: holder, wasTaken: isSame ? wasTaken : wasMine, isMine: false });
  }

  private show(view: LockView): void {
    this.view = view;
    if (!view.other) this.document.hold(false);
    for (const listener of this.listeners) listener();
  }
}
