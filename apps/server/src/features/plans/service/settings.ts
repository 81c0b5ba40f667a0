import type { BillingSettings } from '@atoll/contract';
import type { Context } from '../../../platform/context.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { billingSettings } from '../table.ts';

const initial = { extensionHourPrice: 20, welcomeUnits: 0, invitedUnits: 100, inviterUnits: 100 };

/** What units buy and who gets some, as the admins set it. */
export async function settingsOf(db: Database | Transaction) {
  const [row] = await db.select().from(billingSettings);
  return row ?? initial;
}

export const settingsView = (row: typeof initial): BillingSettings => ({
  extension_hour_price: row.extensionHourPrice,
  welcome_units: row.welcomeUnits,
  invited_units: row.invitedUnits,
  inviter_units: row.inviterUnits,
});

/** For admins. */
export async function updateSettings(ctx: Context, update: Partial<BillingSettings>): Promise<BillingSettings> {
  return ctx.write(async ({ tx, emit }) => {
    const before = await settingsOf(tx);
    const set = {
      extensionHourPrice: update.extension_hour_price ?? before.extensionHourPrice,
      welcomeUnits: update.welcome_units ?? before.welcomeUnits,
      invitedUnits: update.invited_units ?? before.invitedUnits,
      inviterUnits: update.inviter_units ?? before.inviterUnits,
    };
    await tx
      .insert(billingSettings)
      .values({ id: 'only', ...set })
      .onConflictDoUpdate({ target: billingSettings.id, set });
    await emit('billing_settings.changed', {});
    return settingsView(set);
  });
}
