import type { Context } from '../../../../platform/context.ts';
import { othersMayChange } from '../../../projects/service/others.ts';
import type { Address } from '../address.ts';
import { sessionOf } from './session.ts';

/** Kernels that are being restarted: new runs wait for the restart. */
export class Restarts {
  readonly #executions = new Map<string, Promise<unknown>>();

  of = (fileId: string): Promise<unknown> | undefined => this.#executions.get(fileId);

  add(fileId: string, restarting: Promise<unknown>): void {
    const going = restarting.finally(() => {
      if (this.#executions.get(fileId) === going) this.#executions.delete(fileId);
    });
    this.#executions.set(fileId, going);
  }
}

/** Restarts the kernel without its state. */
export async function restartKernel(ctx: Context, address: Address, userId: string | null): Promise<void> {
  const live = await sessionOf(ctx, address);
  if (!live) return;
  // Secrets belong to their owner: where others may write or run code, too, a new kernel without them is started.
  const isShared = live.row.hasSecrets && (await othersMayChange(ctx.db, address.projectId));
  if (live.row.hasSecrets && (isShared || live.row.userId !== userId)) {
    await live.stop({ reason: 'stopped', message: 'The kernel was restarted.' });
    await live.ended;
  } else {
    await live.host.restart(live.row.id);
    live.forgetWidgets();
  }
}
