import type { QueuedCell } from '@atoll/contract';
import { refusalWords } from '../refusal.ts';
import type { Connection, NotebookTopic } from './connection.ts';
import type { NotebookDocument } from './document.ts';
import type { Event, Hub } from './hub.ts';
import type { Outputs } from './outputs.ts';

interface RunsParts {
  connection: Connection;
  document: NotebookDocument;
  outputs: Outputs;
  /** Sends the typed text first, so that exactly this text is run. */
  flush(): void;
}

/** Running and waiting cells, and the commands for them. */
export class Runs {
  private queue: QueuedCell[] = [];
  private queued = new Map<string, { entry: QueuedCell; place: number }>();
  /** Executions that have left the queue. */
  private readonly left = new Set<string>();
  /** Asked to run, and not answered yet. */
  private readonly asked = new Set<string>();
  /** Executions of the whole notebook that was run here last. */
  private ofAll = new Set<string>();
  private readonly hub: Hub;
  private readonly parts: RunsParts;

  constructor(hub: Hub, parts: RunsParts) {
    this.hub = hub;
    this.parts = parts;
  }

  isOfAll = (executionId: string): boolean => this.ofAll.has(executionId);
  getQueue = (): QueuedCell[] => this.queue;
  getQueued = (id: string): { entry: QueuedCell; place: number } | null => this.queued.get(id) ?? null;
  isAsked = (id: string): boolean => this.asked.has(id);
  countRunning = (): number => this.queue.filter(({ state }) => state === 'running').length;
  countWaiting = (): number => this.queue.filter(({ state }) => state === 'waiting').length;

  take(all: QueuedCell[]): void {
    const before = this.queued;
    const running = new Set(this.queue.flatMap(({ id, state }) => (state === 'running' ? id : [])));
    // The answer may have been read before events that came since.
    const queue = all
      .filter(({ id }) => !this.left.has(id))
      .map((entry) => (running.has(entry.id) ? { ...entry, state: 'running' as const } : entry))
      .sort((one, other) => one.place - other.place);
    this.queue = queue;
    this.queued = new Map(queue.map((entry, place) => [entry.cell_id, { entry, place }]));
    this.hub.emitCalmly(['queue', ...[...before.keys(), ...this.queued.keys()].map((id) => `queue:${id}`)]);
  }

  /** Adds entries to the waiting and running ones. */
  add(entries: QueuedCell[]): void {
    const known = new Map([...this.queue, ...entries].map((entry) => [entry.id, entry]));
    this.take([...known.values()]);
  }

  takeChange = ({ changed, removed_ids }: Event<'queue_changed'>): void => {
    for (const id of removed_ids) this.left.add(id);
    this.add(changed);
  };

  begin = ({ cell_id, execution }: Event<'cell_executed'>): void => {
    this.ask(cell_id, false);
    this.parts.outputs.begin(cell_id, execution);
    // Marks a begun cell as running, because the server sends that with the queue only when a notebook is opened.
    if (this.queue.some(({ id, state }) => id === execution.id && state === 'waiting'))
      this.take(this.queue.map((entry) => (entry.id === execution.id ? { ...entry, state: 'running' } : entry)));
  };

  run = async (ids: string[]): Promise<void> => {
    this.parts.flush();
    const running = ids.filter((id) => {
      const cell = this.parts.document.getCell(id);
      return cell && cell.type !== 'markdown' && cell.type !== 'raw' && cell.source.trim() !== '';
    });
    const [first] = running;
    if (first === undefined) return;
    for (const id of running) this.ask(id, true);
    await this.order(
      (topic) =>
        running.length === 1
          ? topic.send('execute_cell', { cell_id: first })
          : topic.send('execute_cells', { cell_ids: running }),
      true,
    );
    for (const id of running) this.ask(id, false);
  };

  private ask(id: string, isAsked: boolean): void {
    if (isAsked) this.asked.add(id);
    else if (!this.asked.delete(id)) return;
    this.hub.emitCalmly([`queue:${id}`]);
  }

  runAll = (restart = false): Promise<void> => {
    this.parts.flush();
    return this.order(async (topic) => {
      const answer = await topic.send('execute_all_cells', { restart });
      this.ofAll = new Set(answer.queue.map(({ id }) => id));
      return answer;
    }, true);
  };

  interrupt = (): Promise<void> => this.order((topic) => topic.send('interrupt', {}));

  /**
   * Interrupts one of several running cells, and leaves the others and the queue; a single one is interrupted with its
   * queue.
   */
  interruptOne = (id: string): Promise<void> =>
    this.countRunning() > 1 ? this.order((topic) => topic.send('interrupt', { id })) : this.interrupt();

  cancel = (ids: string[]): Promise<void> => this.order((topic) => topic.send('cancel_execution', { ids }));

  moveQueued = (id: string, after_id: string | null): Promise<void> =>
    this.order((topic) => topic.send('move_execution', { id, after_id }));

  answer = (id: string, value: string): Promise<void> =>
    this.order((topic) => topic.send('reply_input', { id, value }));

  /** Answers to a run have only the new entries of the queue; all other answers have the whole queue. */
  private async order(
    send: (topic: NotebookTopic) => Promise<{ queue: QueuedCell[] }>,
    isAdded = false,
  ): Promise<void> {
    try {
      const { queue } = await send(await this.parts.connection.ready());
      if (isAdded) this.add(queue);
      else this.take(queue);
    } catch (error) {
      this.hub.options.notify(refusalWords(error), true, error);
    }
  }
}
