import { type PersonSummary, type QueuedCell, topics } from '@atoll/contract';
import { asc, eq } from 'drizzle-orm';
import type { Context, Write } from '../../../../platform/context.ts';
import { message } from '../../../../platform/realtime/stream.ts';
import { loadPeopleOf } from '../../../projects/service/relations.ts';
import { type JobRow, notebookJobs } from '../../table.ts';
import type { Address } from '../address.ts';

export const queuedCellView = (job: JobRow, people: Map<string, PersonSummary>): QueuedCell => ({
  id: job.id,
  cell_id: job.cellId,
  batch_id: job.batchId,
  state: job.state,
  place: job.place,
  user: people.get(job.userId) ?? null,
  queued_at: job.queuedAt.toISOString(),
  question: job.question,
});

export async function queueOf(db: Context['db'], fileId: string): Promise<QueuedCell[]> {
  const jobs = await db
    .select()
    .from(notebookJobs)
    .where(eq(notebookJobs.fileId, fileId))
    .orderBy(asc(notebookJobs.place));
  return queueView(db, jobs);
}

export async function queueView(db: Context['db'], jobs: JobRow[]): Promise<QueuedCell[]> {
  const people = await loadPeopleOf(db, jobs, ({ userId }) => userId);
  return jobs.map((job) => queuedCellView(job, people));
}

export async function publishQueue(
  write: Write,
  address: Address,
  changed: JobRow[],
  removedIds: string[] = [],
): Promise<void> {
  if (changed.length === 0 && removedIds.length === 0) return;
  write.publish(queueChanged(address, { changed: await queueView(write.tx, changed), removed_ids: removedIds }));
}

export const queueChanged = (address: Address, payload: { changed: QueuedCell[]; removed_ids: string[] }) =>
  message(topics.notebook, { ...address }, 'queue_changed', payload);
