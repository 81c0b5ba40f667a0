import { eq } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { openForServer, sealForServer } from '../../secrets/seal.ts';
import { reportSettings } from '../table.ts';

/** What lets others write in somebody's name: sealed, and never shown again. */
export interface ReportSecrets {
  slackToken?: string | null;
  webhookUrl?: string | null;
}

const nameOf = (publicationId: string) => `report:${publicationId}`;

export const sealSecrets = ({ config }: Context, publicationId: string, secrets: ReportSecrets): string =>
  sealForServer(config.secretKeys, nameOf(publicationId), JSON.stringify(secrets));

export function openSecrets(ctx: Context, publicationId: string, sealed: string | null): ReportSecrets {
  const opened = sealed && openForServer(ctx.config.secretKeys, nameOf(publicationId), sealed);
  return opened ? (JSON.parse(opened) as ReportSecrets) : {};
}

export async function secretsOf(ctx: Context, publicationId: string): Promise<ReportSecrets> {
  const [row] = await ctx.db.select().from(reportSettings).where(eq(reportSettings.publicationId, publicationId));
  return openSecrets(ctx, publicationId, row?.sealedTargets ?? null);
}
