import type { Delivery, TargetKind } from '@atoll/contract';
import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import { z } from 'zod';
import type { Context, Write } from '../../../platform/context.ts';
import { AppError, invalidField, notFound } from '../../../platform/errors.ts';
import type { JobKind } from '../../../platform/jobs/enqueue.ts';
import { hashSecret } from '../../../platform/secrets.ts';
import { whoMay } from '../../projects/service/who-may.ts';
import { requirePublication } from '../../publications/service/access.ts';
import { type PublicationRow, publications } from '../../publications/table.ts';
import { openSecrets } from '../../reports/service/secrets.ts';
import { settingsRow } from '../../reports/service/settings.ts';
import { reportSettings } from '../../reports/table.ts';
import { deliveryView } from '../../reports/view.ts';
import { users } from '../../users/table.ts';
import { type DeliveryRow, deliveries, reportRefusals, reportSubscribers } from '../table.ts';
import { deliveryViews } from './views.ts';

export const renderKind: JobKind<{ delivery_id: string }> = {
  kind: 'deliveries.render',
  payload: z.object({ delivery_id: z.uuid() }),
};

export const sendKind: JobKind<{ target_id: string }> = {
  kind: 'deliveries.send',
  payload: z.object({ target_id: z.uuid() }),
};

export interface Target {
  kind: TargetKind;
  address: string;
}

/** Now, as a schedule would. */
export const sendNow = (ctx: Context, publicationId: string): Promise<Delivery> =>
  ctx.write(async (write) => {
    const { publication } = await requirePublication(ctx, write.tx, publicationId, 'publication.publish');
    if (!isShown(publication)) throw invalidField('id', 'Publish it first: readers could not open it');
    if ((await targetsOf(ctx, write.tx, publication)).length === 0)
      throw invalidField('delivery', 'It has no target yet: enter an address, a channel or a chat');
    const row = await insert(ctx, write, publication, null);
    if (!row) throw new AppError('conflict', 'It is being delivered already.');
    const [view] = await deliveryViews(write.tx, [row]);
    if (!view) throw notFound('This delivery');
    return view;
  });

/** As part of a schedule's time; null when the publication is no report, or goes to nobody. Asked for twice, it is one. */
export const startForFiring = (ctx: Context, publicationId: string, firingId: string): Promise<DeliveryRow | null> =>
  ctx.write(async (write) => {
    const [known] = await write.tx.select().from(deliveries).where(eq(deliveries.firingId, firingId));
    if (known) return known;
    const [row] = await write.tx
      .select({ publication: publications, isEnabled: reportSettings.isEnabled })
      .from(publications)
      .innerJoin(reportSettings, eq(reportSettings.publicationId, publications.id))
      .where(eq(publications.id, publicationId));
    if (!row?.isEnabled || !isShown(row.publication)) return null;
    if ((await targetsOf(ctx, write.tx, row.publication)).length === 0) return null;
    const made = await insert(ctx, write, row.publication, firingId);
    if (!made) throw new AppError('conflict', 'It is being delivered already.');
    return made;
  });

/** What nobody but its authors can open is not sent around. */
const isShown = ({ versionId, accessLevel }: PublicationRow) => versionId !== null && accessLevel !== 'draft';

async function insert(
  ctx: Context,
  write: Write,
  publication: PublicationRow,
  firingId: string | null,
): Promise<DeliveryRow | null> {
  const { attachment, message } = deliveryView(await settingsRow(write.tx, publication.id), {});
  const [row] = await write.tx
    .insert(deliveries)
    .values({
      publicationId: publication.id,
      firingId,
      requesterId: ctx.actor.userId,
      versionNumber: publication.versionNumber,
      attachment,
      message,
      state: 'rendering',
      startedAt: ctx.now(),
    })
    .onConflictDoNothing()
    .returning();
  if (!row) return null;
  await write.enqueue(
    renderKind,
    { delivery_id: row.id },
    { key: row.id, ...(row.requesterId && { ownerId: row.requesterId }) },
  );
  await write.emit('delivery.started', { ...about(row, publication), firing_id: firingId });
  return row;
}

export const about = ({ id, requesterId }: DeliveryRow, publication: Pick<PublicationRow, 'id' | 'projectId'>) => ({
  delivery_id: id,
  publication_id: publication.id,
  project_id: publication.projectId,
  requester_id: requesterId,
});

/** Its author's addresses and chats, and the readers who subscribed and may still read it; each once. */
export async function targetsOf(ctx: Context, db: Context['db'] | Write['tx'], publication: PublicationRow) {
  const row = await settingsRow(db, publication.id);
  const secrets = openSecrets(ctx, publication.id, row?.sealedTargets ?? null);
  const { email, slack, telegram, webhook } = deliveryView(row, secrets);
  const refused = new Set(
    (
      await db
        .select({ hash: reportRefusals.addressHash })
        .from(reportRefusals)
        .where(eq(reportRefusals.publicationId, publication.id))
    ).map(({ hash }) => hash),
  );
  const listed = email.enabled ? email.addresses : [];
  const addresses = new Map(
    [...listed, ...(await subscribersOf(db, publication))].map((address) => [address.toLowerCase(), address]),
  );
  const targets: Target[] = [...addresses]
    .filter(([lower]) => !refused.has(hashSecret(lower)))
    .map(([, address]) => ({ kind: 'email', address }));
  if (slack.enabled) targets.push({ kind: 'slack', address: slack.channel });
  if (telegram.enabled) targets.push({ kind: 'telegram', address: telegram.chat_id });
  if (webhook.enabled && webhook.host) targets.push({ kind: 'webhook', address: webhook.host });
  return targets;
}

async function subscribersOf(db: Context['db'] | Write['tx'], publication: PublicationRow): Promise<string[]> {
  const people = await db
    .select({ userId: users.id, email: users.email, role: users.role })
    .from(reportSubscribers)
    .innerJoin(users, eq(users.id, reportSubscribers.userId))
    .where(
      and(
        eq(reportSubscribers.publicationId, publication.id),
        isNull(users.suspendedAt),
        isNotNull(users.emailConfirmedAt),
        isNotNull(users.email),
      ),
    );
  const isOpen = publication.accessLevel === 'public' || publication.accessLevel === 'link_shared';
  const askers = people.map(({ userId, role }) => ({ userId, isAdmin: role === 'admin' }));
  const readers = isOpen ? null : await whoMay(db, askers, [publication.projectId], 'view_publications');
  const allowed = readers && new Set(readers.map(({ userId }) => userId));
  return people.flatMap(({ userId, email }) => (email && (allowed?.has(userId) ?? true) ? [email] : []));
}
