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
import { requirePublication } from '../../publications/service/access.ts';
import { reportSettings } from '../table.ts';
import { settingsView } from '../view.ts';
import { changeDelivery } from './delivery-settings.ts';
import { openSecrets, sealSecrets } from './secrets.ts';

export async function settingsRow(db: Database | Transaction, publicationId: string) {
  const [row] = await db.select().from(reportSettings).where(eq(reportSettings.publicationId, publicationId));
  return row ?? null;
}

/** How it is printed, whoever asks. */
export async function printSettingsOf(db: Database | Transaction, publicationId: string): Promise<PrintSettings> {
  return { ...defaultPrintSettings, ...(await settingsRow(db, publicationId))?.print };
}

export async function readSettings(ctx: Context, publicationId: string): Promise<ExternalPublication> {
  await requirePublication(ctx, ctx.db, publicationId, 'publication.publish');
  const row = await settingsRow(ctx.db, publicationId);
  return settingsView(publicationId, row, openSecrets(ctx, publicationId, row?.sealedTargets ?? null));
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
    return settingsView(publicationId, row ?? null, secrets);
  });
}
