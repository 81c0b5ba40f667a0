import type { LobbyMeta } from '@atoll/contract';
import { type Subscription, subscribe } from '../../platform/realtime/realtime.ts';
import { type Person, peopleOf } from './people.ts';
import { throttle } from './throttle.ts';

/** A cursor that moves is told no oftener than it can be seen to move. */
const placeEveryMs = 100;
/** What is dragged over a board is looked at more closely. */
const boardPlaceEveryMs = 40;

const nowhere: LobbyMeta = { file_id: null, cell_id: null, cursor: null, is_editing: false };

/** Who else is in a project, and where I am in it. */
export class Lobby {
  private people: Person[] = [];
  private place: LobbyMeta = nowhere;
  private readonly listeners = new Set<() => void>();
  private readonly colours = new Map<string, number>();
  private readonly subscription: Subscription<'collaboratorLobby'>;
  private readonly sendPlace: () => void;
  private readonly sendBoardPlace: () => void;

  constructor(projectId: string, me: string) {
    const say = () => this.subscription.sendIfConnected('update_meta', this.place);
    this.sendPlace = throttle(say, placeEveryMs);
    this.sendBoardPlace = throttle(say, boardPlaceEveryMs);
    this.subscription = subscribe(
      'collaboratorLobby',
      { id: projectId },
      {
        onJoined: this.sendPlace,
        onPresence: (present) => this.show(peopleOf(present, me, this.colours)),
        onLost: () => this.show([]),
      },
    );
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  getPeople = (): Person[] => this.people;

  open(fileId: string | null): void {
    if (this.place.file_id !== fileId) this.go({ ...nowhere, file_id: fileId });
  }

  /** In a notebook: the cursor is in this cell from now on. */
  enter(cellId: string | null, isEditing: boolean): void {
    const { cell_id, is_editing } = this.place;
    if (cell_id === cellId && is_editing === isEditing) return;
    this.go({
      ...this.place,
      cell_id: cellId,
      cursor: cell_id === cellId ? this.place.cursor : null,
      is_editing: isEditing,
    });
  }

  move(cursor: LobbyMeta['cursor']): void {
    if (JSON.stringify(cursor) === JSON.stringify(this.place.cursor)) return;
    this.place = { ...this.place, cursor };
    // Who is alone is seen by nobody: whoever comes is told then.
    if (this.people.length > 0) this.sendPlace();
  }

  /** On a canvas: where I point, and what I move. */
  board(board: LobbyMeta['board']): void {
    this.place = { ...this.place, board };
    if (this.people.length > 0) this.sendBoardPlace();
  }

  edit(isEditing: boolean): void {
    if (isEditing !== this.place.is_editing) this.go({ ...this.place, is_editing: isEditing });
  }

  leave(): void {
    this.subscription.leave();
  }

  private go(place: LobbyMeta): void {
    this.place = place;
    this.sendPlace();
  }

  private show(people: Person[]): void {
    // Where I am comes back, too, with every letter I type.
    if (JSON.stringify(people) === JSON.stringify(this.people)) return;
    if (this.people.length === 0) this.sendPlace();
    this.people = people;
    for (const listener of this.listeners) listener();
  }
}
