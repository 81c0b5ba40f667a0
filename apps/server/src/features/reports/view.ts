import { defaultPrintSettings, type ExternalPublication } from '@atoll/contract';
import type { ReportSettingsRow } from './table.ts';

export const settingsView = (publicationId: string, row: ReportSettingsRow | null): ExternalPublication => ({
  ...defaultPrintSettings,
  ...row?.print,
  id: publicationId,
  enabled: row?.isEnabled ?? false,
  updated_at: row?.updatedAt.toISOString() ?? null,
});
