import type { CellLock } from '@atoll/contract';
import type { Connection } from './connection.ts';
import type { Hub } from './hub.ts';

/** The people who write, by cell. */
export class Locks {
  private locks = new Map<string, CellLock>();
  private readonly wanted = new Set<string>();
  private readonly hub: Hub;
  private readonly connection: Connection;

  constructor(hub: Hub, connection: Connection) {
    this.hub = hub;
    this.connection = connection;
  }

  /** The lock of another person, or of another window of mine. */
  get = (id: string): CellLock | null => {
    const lock = this.locks.get(id);
    return lock && !this.isMine(lock) ? lock : null;
  };

  private isMine = ({ user, tag }: CellLock): boolean =>
    user.id === this.hub.options.me && tag === this.hub.options.tag;

  take(locks: CellLock[]): void {
    const before = this.locks;
    this.locks = new Map(locks.map((lock) => [lock.cell_id, lock]));
    for (const id of new Set([...before.keys(), ...this.locks.keys()])) {
      if (this.get(id)) this.wanted.delete(id);
      this.hub.emit(`lock:${id}`);
    }
  }

  want(id: string): void {
    if (this.wanted.has(id)) return;
    this.wanted.add(id);
    this.connection.topic?.send('start_editing_cell', { cell_id: id, tag: this.hub.options.tag, takeover: false }).then(
      ({ locks }) => this.take(locks),
      // Another person writes in it, too.
      () => this.wanted.delete(id),
    );
  }

  /** Requests the last lock again, because a lock ends with its connection. */
  wantAgain(isThere: (id: string) => boolean): void {
    const last = [...this.wanted].at(-1);
    this.wanted.clear();
    if (last !== undefined && isThere(last)) this.want(last);
  }

  release(id: string): void {
    if (!this.wanted.delete(id)) return;
    this.connection.topic?.send('stop_editing_cell', { cell_id: id }).then(
      ({ locks }) => this.take(locks),
      () => {},
    );
  }
}
