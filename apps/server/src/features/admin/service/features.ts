import {
  type AdminFeature,
  type EndpointInput,
  featureNames,
  isFeatureOnByDefault,
  platformFeatures,
  unbuiltFeatures,
} from '@atoll/contract';
import { eq, ne, sql } from 'drizzle-orm';
import { recordAction } from '../../../platform/action-log/record.ts';
import type { Context } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import { flagSettingsOf } from '../../../platform/flags/settings.ts';
import { flagSettings } from '../../../platform/flags/table.ts';
import { ratePlans } from '../../plans/table.ts';
import { roles, users } from '../../users/table.ts';

export async function listFeatures(ctx: Context): Promise<{ entries: AdminFeature[] }> {
  const settings = new Map((await ctx.db.select().from(flagSettings)).map((row) => [row.name, row]));
  const allRoles = await ctx.db.select().from(roles).orderBy(roles.name);
  const overrides = await ctx.db
    .select({ features: users.features })
    .from(users)
    .where(ne(users.features, sql`'{}'::jsonb`));
  const plans = await ctx.db.select().from(ratePlans).orderBy(ratePlans.position);
  const { platform, features: configured } = ctx.config;
  return {
    entries: featureNames.map((name) => ({
      name,
      is_built: !unbuiltFeatures.has(name),
      is_on_by_default: platformFeatures[platform][name] ?? isFeatureOnByDefault(name),
      configured: configured[name] ?? null,
      is_enabled: settings.get(name)?.isEnabled ?? null,
      message: settings.get(name)?.message ?? null,
      plans_without: plans.flatMap(({ title, features }) => (features[name] === false ? title : [])),
      roles: allRoles.flatMap(({ id, name: role, features }) =>
        features[name] === undefined ? [] : [{ id, name: role, is_enabled: features[name] }],
      ),
      people: {
        on: overrides.filter(({ features }) => features[name] === true).length,
        off: overrides.filter(({ features }) => features[name] === false).length,
      },
    })),
  };
}

export async function updateFeature(
  ctx: Context,
  { name, is_enabled, message }: EndpointInput<'admin', 'updateFeature'>,
): Promise<AdminFeature> {
  if (unbuiltFeatures.has(name)) throw new AppError('conflict', 'This feature is not part of this version.');
  if (ctx.config.features[name] !== undefined)
    throw new AppError('conflict', 'The configuration of the server decides this feature.', {
      details: { reason: 'configured' },
    });
  await ctx.write(async (write) => {
    const { tx } = write;
    const [before] = await tx.select().from(flagSettings).where(eq(flagSettings.name, name)).for('update');
    if (is_enabled === null) await tx.delete(flagSettings).where(eq(flagSettings.name, name));
    else {
      const values = { name, isEnabled: is_enabled, message, updatedAt: ctx.now() };
      await tx.insert(flagSettings).values(values).onConflictDoUpdate({ target: flagSettings.name, set: values });
    }
    await recordAction(ctx, write, {
      action: 'feature.changed',
      subject: { type: 'feature', id: name },
      before: { name, is_enabled: before?.isEnabled ?? null, message: before?.message ?? null },
      after: { name, is_enabled, message },
    });
    await write.emit('flags.changed', { names: [name] });
  });
  await flagSettingsOf(ctx).load();
  const { entries } = await listFeatures(ctx);
  const changed = entries.find((entry) => entry.name === name);
  if (!changed) throw new Error('The feature is not listed');
  return changed;
}
