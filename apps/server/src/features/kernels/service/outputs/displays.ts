import type { KernelMessage } from '@atoll/kernels/client';
import { collect, type Mask, type Output } from '@atoll/notebook';
import { and, desc, eq, isNotNull, sql } from 'drizzle-orm';
import type { Context } from '../../../../platform/context.ts';
import { type ExecutionRow, executionOutputs, executions } from '../../table.ts';
import type { Batch } from '../store-batch.ts';

interface Display {
  row: ExecutionRow;
  index: number;
  /** Without its data, which may be large. */
  output: Extract<Output, { data: unknown }>;
}

/** This many are remembered; the oldest are forgotten first. */
const mostDisplays = 1_000;

/** Named outputs of ended executions, because later code may change them. */
export class Displays {
  readonly #known = new Map<string, Display[]>();

  remember(row: ExecutionRow, outputs: { output: Output; displayId: string | null }[]): void {
    for (const [index, { output, displayId }] of outputs.entries()) {
      if (displayId !== null && 'data' in output) {
        this.#add(displayId, { row, index, output: { ...output, data: {}, metadata: {} } });
      }
    }
  }

  /** Restores those of a kernel from before the server's restart: their names are stored with their outputs. */
  async recall(db: Context['db'], sessionId: string): Promise<void> {
    const { index, displayId, output } = executionOutputs;
    const found = await db
      .select({ row: executions, index, displayId, output: sql<Output>`${output} - 'data' - 'metadata'` })
      .from(executionOutputs)
      .innerJoin(executions, eq(executions.id, executionOutputs.executionId))
      .where(and(eq(executions.sessionId, sessionId), isNotNull(executions.endedAt), isNotNull(displayId)))
      .orderBy(desc(executions.startedAt), desc(index))
      .limit(mostDisplays);
    for (const { displayId: name, output, ...place } of found.toReversed()) {
      if (name !== null)
        this.#add(name, { ...place, output: { ...output, data: {}, metadata: {} } as Display['output'] });
    }
  }

  #add(name: string, display: Display): void {
    const { row } = display;
    // When a cell has run again, only its newest output counts.
    const others = (this.#known.get(name) ?? []).filter(
      ({ row: { id, topic, cell } }) => id === row.id || topic !== row.topic || cell !== row.cell,
    );
    this.#known.delete(name);
    this.#known.set(name, [...others, display].slice(-mostDisplays));
    for (const oldest of this.#known.keys()) if (this.#known.size > mostDisplays) this.#known.delete(oldest);
  }

  forget = (): void => this.#known.clear();

  /** The changes to store and publish for them. */
  take(message: KernelMessage, mask: Mask): Batch[] {
    const { display_id: name } = (message.content.transient ?? {}) as { display_id?: unknown };
    if (message.type !== 'update_display_data' || typeof name !== 'string') return [];
    return (this.#known.get(name) ?? []).map(({ row, index, output }) => {
      const shown = { outputs: [{ output, displayId: name }], clearsWithNext: false };
      const changes = collect(shown, message, mask).map((change) => ({ ...change, index }));
      return {
        row,
        isWhole: true,
        isNew: false,
        isCleared: false,
        changes,
        outputs: shown.outputs.map((each) => ({ index, output: each })),
      };
    });
  }
}
