import type { Operation } from '@atoll/contract';
import type { Edits } from './edits.ts';
import type { Hub } from './hub.ts';

const maxUndo = 200;

/** Undoes edits by their inverses. */
export class Undo {
  private undone: Operation[][] = [];
  private redone: Operation[][] = [];
  private readonly hub: Hub;
  private readonly edits: Edits;

  constructor(hub: Hub, edits: Edits) {
    this.hub = hub;
    this.edits = edits;
  }

  canUndo = (): boolean => this.undone.length > 0;
  undo = (): boolean => this.goBack('undone', 'redone');
  redo = (): boolean => this.goBack('redone', 'undone');

  /** Shows the operations at once and sends them. Returns whether they applied. */
  edit = (operations: Operation[], isUndoable = true): boolean => {
    this.edits.flush();
    const inverse = this.edits.push(operations);
    if (!inverse) return false;
    if (isUndoable && inverse.length) {
      this.undone = [...this.undone.slice(-maxUndo), inverse];
      this.redone = [];
    }
    return true;
  };

  private goBack(from: 'undone' | 'redone', to: 'undone' | 'redone'): boolean {
    this.edits.flush();
    const operations = this[from].at(-1);
    if (!operations) return false;
    this[from] = this[from].slice(0, -1);
    const inverse = this.edits.push(operations);
    if (!inverse) {
      this.hub.options.notify('Cannot undo: the cell has changed since.');
      return false;
    }
    this[to] = [...this[to], inverse];
    return true;
  }
}
