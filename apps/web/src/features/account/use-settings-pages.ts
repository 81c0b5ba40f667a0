import type { SettingsPage } from '../../platform/features/web-feature.ts';
import { useEnabledParts } from '../session/enabled-features.ts';
import { useSession } from '../session/queries.ts';

/** The settings this person has: a guest has preferences and nothing else to keep. */
export function useSettingsPages(): SettingsPage[] {
  const { is_guest } = useSession();
  const pages = useEnabledParts().flatMap(({ loaded }) => loaded.settingsPages ?? []);
  return is_guest ? pages.filter(({ isForGuests }) => isForGuests) : pages;
}
