import type { Delivery } from '@atoll/contract';
import { asc, inArray } from 'drizzle-orm';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { loadPeopleOf } from '../../projects/service/relations.ts';
import { type DeliveryRow, deliveryTargets } from '../table.ts';

export async function deliveryViews(db: Database | Transaction, rows: DeliveryRow[]): Promise<Delivery[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const targets = await db
    .select()
    .from(deliveryTargets)
    .where(inArray(deliveryTargets.deliveryId, ids))
    .orderBy(asc(deliveryTargets.kind), asc(deliveryTargets.address));
  const people = await loadPeopleOf(db, rows, ({ requesterId }) => requesterId);
  const byDelivery = Map.groupBy(targets, ({ deliveryId }) => deliveryId);
  return rows.map((row) => ({
    id: row.id,
    trigger: row.firingId ? 'schedule' : 'manual',
    requester: people.get(row.requesterId ?? '') ?? null,
    version_number: row.versionNumber,
    state: row.state,
    reason: row.reason,
    failed_cell_ids: row.failedCellIds,
    attachment: row.attachment,
    pages: row.pages,
    has_file: row.fileBlob !== null,
    targets: (byDelivery.get(row.id) ?? []).map(({ kind, address, state, reason, sentAt }) => ({
      kind,
      address,
      state,
      reason,
      sent_at: sentAt?.toISOString() ?? null,
    })),
    started_at: row.startedAt.toISOString(),
    ended_at: row.endedAt?.toISOString() ?? null,
  }));
}
