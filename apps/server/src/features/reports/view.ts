import {
  type DeliverySettings,
  defaultDelivery,
  defaultPrintSettings,
  type ExternalPublication,
} from '@atoll/contract';
import type { ReportSecrets } from './service/secrets.ts';
import type { ReportSettingsRow } from './table.ts';

export const settingsView = (
  publicationId: string,
  row: ReportSettingsRow | null,
  secrets: ReportSecrets,
): ExternalPublication => ({
  ...defaultPrintSettings,
  ...row?.print,
  id: publicationId,
  enabled: row?.isEnabled ?? false,
  delivery: deliveryView(row, secrets),
  updated_at: row?.updatedAt.toISOString() ?? null,
});

export function deliveryView(
  row: Pick<ReportSettingsRow, 'delivery'> | null,
  { slackToken, webhookUrl }: ReportSecrets,
): DeliverySettings {
  const { slack, webhook, telegram, ...rest } = row?.delivery ?? {};
  const { enabled, chat_id } = telegram ?? defaultDelivery.telegram;
  return {
    ...defaultDelivery,
    ...rest,
    telegram: { enabled, chat_id },
    slack: { ...defaultDelivery.slack, ...slack, has_token: Boolean(slackToken) },
    webhook: { ...defaultDelivery.webhook, ...webhook, host: webhookUrl ? new URL(webhookUrl).host : null },
  };
}
