import type { LobbyMeta } from '@atoll/contract';
import { type Subscription, subscribe } from '../../platform/realtime/realtime.ts';
import { type Person, peopleOf } from './people.ts';
import { throttle } from './throttle.ts';

/** A cursor is sent only as often as its movement can be seen. */
const placeEveryMs = 100;
/** Drags on a board are sent more often, because people watch them more closely. */
const boardPlaceEveryMs = 40;

const nowhere: LobbyMeta = { file_id: null, cell_id: null, cursor: null, is_editing: false };

/** The other people in a project, and the place of this window in it. */
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

  /** Moves the cursor to this cell of a notebook. */
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
    // A person who is alone sends nothing; the place is sent when another person comes.
    if (this.people.length > 0) this.sendPlace();
  }

  /** Sets the pointer on a canvas, and the things that are dragged. */
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
    // The server sends this window's place back, too, with every letter typed here.
    if (JSON.stringify(people) === JSON.stringify(this.people)) return;
    if (this.people.length === 0) this.sendPlace();
    this.people = people;
    for (const listener of this.listeners) listener();
  }
}
