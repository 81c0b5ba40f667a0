import type { NotebookKernel } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import type { Context } from '../../../../platform/context.ts';
import { type KernelSessionRow, kernelSessions } from '../../../kernels/table.ts';
import { loadPerson } from '../../../projects/service/relations.ts';
import type { NotebookRow } from '../../table.ts';

const none: NotebookKernel = {
  name: null,
  tier: 'l1',
  is_gpu: false,
  state: 'none',
  session_id: null,
  starter: null,
  started_at: null,
  end_message: null,
  features: [],
};

export const featuresOf = ({ kernel, features }: KernelSessionRow): string[] =>
  /python/i.test(kernel) ? ['dataframes', 'variables', ...features] : features;

/** The kernel of a notebook as the page shows it. */
export async function kernelView(db: Context['db'], row: NotebookRow | null): Promise<NotebookKernel> {
  if (!row) return none;
  const wanted = { ...none, name: row.kernel, tier: row.tier, is_gpu: row.isGpu };
  if (!row.sessionId) return wanted;
  const [session] = await db.select().from(kernelSessions).where(eq(kernelSessions.id, row.sessionId));
  if (!session) return wanted;
  const starter = await loadPerson(db, session.userId);
  return {
    ...wanted,
    name: session.endedAt ? row.kernel : session.kernel,
    state: session.state,
    session_id: session.endedAt ? null : session.id,
    starter,
    started_at: session.startedAt.toISOString(),
    end_message: session.endedAt ? session.endMessage : null,
    features: session.endedAt && row.kernel && row.kernel !== session.kernel ? [] : featuresOf(session),
  };
}
