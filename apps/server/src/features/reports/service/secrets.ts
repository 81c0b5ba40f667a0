import { eq } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { seal, unseal } from '../../secrets/seal.ts';
import { reportSettings } from '../table.ts';

/** What lets others write in somebody's name: sealed, and never shown again. */
export interface ReportSecrets {
  slackToken?: string | null;
  webhookUrl?: string | null;
}

const nameOf = (publicationId: string) => `report:${publicationId}`;

export function sealSecrets(ctx: Context, publicationId: string, secrets: ReportSecrets): string {
  const [key] = ctx.config.secretKeys;
  if (!key) throw new Error('There is no key to seal secrets with');
  return seal(key, '', nameOf(publicationId), JSON.stringify(secrets));
}

export function openSecrets(ctx: Context, publicationId: string, sealed: string | null): ReportSecrets {
  if (!sealed) return {};
  for (const key of ctx.config.secretKeys) {
    try {
      return JSON.parse(unseal(key, '', nameOf(publicationId), sealed)) as ReportSecrets;
    } catch {
      // Sealed with another key.
    }
  }
  return {};
}

export async function secretsOf(ctx: Context, publicationId: string): Promise<ReportSecrets> {
  const [row] = await ctx.db.select().from(reportSettings).where(eq(reportSettings.publicationId, publicationId));
  return openSecrets(ctx, publicationId, row?.sealedTargets ?? null);
}
