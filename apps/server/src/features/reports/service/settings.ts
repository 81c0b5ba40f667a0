import {
  defaultPrintSettings,
  type EndpointFields,
  type ExternalPublication,
  type PrintSettings,
} from '@atoll/contract';
import { eq } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { definedOf } from '../../../platform/defined.ts';
import { recipientsOf, recipientsToAsk } from '../../deliveries/service/recipients.ts';
import { requirePublication } from '../../publications/service/access.ts';
import { type ReportSettingsRow, reportSettings } from '../table.ts';
import { settingsView } from '../view.ts';
import { changeDelivery } from './delivery-settings.ts';
import { openSecrets, type ReportSecrets, sealSecrets } from './secrets.ts';

export async function settingsRow(db: Database | Transaction, publicationId: string) {
  const [row] = await db.select().from(reportSettings).where(eq(reportSettings.publicationId, publicationId));
  return row ?? null;
}

/** How it is printed, whoever asks. */
export async function printSettingsOf(db: Database | Transaction, publicationId: string): Promise<PrintSettings> {
  return { ...defaultPrintSettings, ...(await settingsRow(db, publicationId))?.print };
}

async function view(
  ctx: Context,
  db: Database | Transaction,
  publicationId: string,
  row: ReportSettingsRow | null,
  secrets: ReportSecrets,
): Promise<ExternalPublication> {
  const { delivery, ...settings } = settingsView(publicationId, row, secrets);
  const sending = { publicationId, senderId: ctx.userId };
  return {
    ...settings,
    delivery: { ...delivery, recipients: await recipientsOf(db, sending, delivery.email.addresses) },
  };
}

export async function readSettings(ctx: Context, publicationId: string): Promise<ExternalPublication> {
  await requirePublication(ctx, ctx.db, publicationId, 'publication.publish');
  const row = await settingsRow(ctx.db, publicationId);
  return view(ctx, ctx.db, publicationId, row, openSecrets(ctx, publicationId, row?.sealedTargets ?? null));
}

export async function updateSettings(
  ctx: Context,
  publicationId: string,
  { enabled, delivery, ...update }: EndpointFields<'reports', 'update'>,
): Promise<ExternalPublication> {
  return ctx.write(async (write) => {
    const { publication } = await requirePublication(ctx, write.tx, publicationId, 'publication.publish');
    const [before] = await write.tx
      .select()
      .from(reportSettings)
      .where(eq(reportSettings.publicationId, publicationId))
      .for('update');
    const known = openSecrets(ctx, publicationId, before?.sealedTargets ?? null);
    const changed =
      delivery && (await changeDelivery(ctx, write.tx, { before: before?.delivery ?? {}, known }, delivery));
    const secrets = changed?.secrets ?? known;
    const values = {
      isEnabled: enabled ?? before?.isEnabled ?? false,
      delivery: changed?.delivery ?? before?.delivery ?? {},
      sealedTargets: sealSecrets(ctx, publicationId, secrets),
      print: { ...before?.print, ...definedOf(update) },
      updatedAt: ctx.now(),
    };
    const [row] = await write.tx
      .insert(reportSettings)
      .values({ publicationId, ...values })
      .onConflictDoUpdate({ target: reportSettings.publicationId, set: values })
      .returning();
    await write.emit('report.updated', { publication_id: publicationId, project_id: publication.projectId });
    if (delivery?.email && values.delivery.email?.enabled) {
      const sending = { publicationId, senderId: ctx.userId };
      for (const { address } of await recipientsToAsk(ctx, write.tx, sending, values.delivery.email.addresses))
        await write.emit('report.recipient_added', { sender_id: ctx.userId, publication_id: publicationId, address });
    }
    return view(ctx, write.tx, publicationId, row ?? null, secrets);
  });
}
