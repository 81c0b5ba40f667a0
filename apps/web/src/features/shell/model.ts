import type { Platform } from '@atoll/contract/platforms';
import { isOn, type NavigationEntry, type Viewer, type WebFeature } from '../../platform/features/web-feature.ts';

export type Place = Pick<NavigationEntry, 'label' | 'icon' | 'to'>;

/** Where this person may go: the feature must be on, and the page for them. */
export function placesOf(
  features: readonly WebFeature[],
  viewer: Viewer,
  platform: Platform,
): { main: Place[]; foot: Place[] } {
  const on = features.filter((feature) => isOn(feature, viewer));
  const entries = on
    .flatMap(({ navigation }) => navigation ?? [])
    .filter(({ isForMembers }) => !isForMembers || !viewer.is_guest);
  const admin = viewer.is_admin ? on.flatMap(({ adminPages }) => adminPages ?? []) : [];
  const [first, ...rest] = entries.filter(({ isFoot }) => !isFoot);
  const leads = ({ leadsOn }: NavigationEntry) => leadsOn === platform;
  return {
    main: [...(first ? [first] : []), ...rest.filter(leads), ...rest.filter((entry) => !leads(entry)), ...admin],
    foot: entries.filter(({ isFoot }) => isFoot),
  };
}
