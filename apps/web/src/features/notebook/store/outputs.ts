import type { CellShown, PublishedChange } from '@atoll/contract';
import { isEnded, nothingShown, withExecution } from '../model.ts';
import type { Connection } from './connection.ts';
import type { Event, Hub } from './hub.ts';

/** The outputs of the cells. */
export class Outputs {
  private readonly shown = new Map<string, CellShown>();
  private readonly hub: Hub;
  private readonly connection: Connection;

  constructor(hub: Hub, connection: Connection) {
    this.hub = hub;
    this.connection = connection;
  }

  get = (id: string): CellShown => this.shown.get(id) ?? nothingShown;

  load(shown: [string, CellShown][]): void {
    this.shown.clear();
    for (const [id, each] of shown) this.shown.set(id, each);
  }

  take({ cleared_ids, shown }: Pick<PublishedChange, 'cleared_ids' | 'shown'>): void {
    for (const id of cleared_ids) this.show(id, nothingShown);
    for (const [id, each] of Object.entries(shown)) this.show(id, each);
  }

  takeExecution = ({ execution, changes }: Event<'execution_changed'>): void => {
    if (execution.cell === null) return;
    const before = this.get(execution.cell);
    // The cell shows another execution by now.
    if (before.execution && before.execution.id !== execution.id && before.execution.started_at > execution.started_at)
      return;
    const after = withExecution(before, execution, changes);
    if (!after) return void this.reload(execution.cell);
    this.show(execution.cell, after);
    if (isEnded(execution) && !(before.execution && isEnded(before.execution)))
      this.hub.options.onExecuted?.(execution.cell, after);
  };

  /** A cell has begun to run. */
  begin(id: string, execution: Event<'cell_executed'>['execution']): void {
    const before = this.get(id);
    if (before.execution?.id === execution.id) {
      if (!isEnded(before.execution)) return void this.show(id, { ...before, execution });
      // The end of a short execution arrived before its begin; the person may be drawn a moment later.
      this.shown.set(id, { ...before, execution: { ...before.execution, user: execution.user } });
      this.hub.emitCalmly([`shown:${id}`]);
    } else {
      this.show(id, { ...nothingShown, execution_count: execution.execution_count, execution });
    }
  }

  show(id: string, shown: CellShown): void {
    this.shown.set(id, shown);
    this.hub.emitSoon(`shown:${id}`);
  }

  private async reload(id: string): Promise<void> {
    const answer = await this.connection.topic?.send('get_cell_output', { cell_id: id, from: 0 }).catch(() => null);
    if (!answer) return;
    const { outputs, outputs_total, outputs_bytes } = answer;
    this.show(id, { ...this.get(id), outputs, outputs_total, outputs_bytes });
  }
}
