import type { Platform } from '@atoll/contract/platforms';
import {
  isOn,
  type NavigationEntry,
  type NavigationGroup,
  navigationGroups,
  type Viewer,
  type WebFeature,
} from '../../platform/features/web-feature.ts';

export type Place = Pick<NavigationEntry, 'label' | 'icon' | 'to'>;

export interface PlaceGroup {
  id: NavigationGroup | 'admin';
  label: string;
  places: Place[];
}

export interface Places {
  groups: PlaceGroup[];
  account: Place[];
  about: Place[];
}

/** With fewer places used, everything may still be new, and keeps its order. */
const leastUsed = 3;

/** Where this person may go: the feature must be on, and the page for them. Places that were never used come last. */
export function placesOf(
  features: readonly WebFeature[],
  viewer: Viewer,
  platform: Platform,
  used: ReadonlySet<string> = new Set(),
): Places {
  const on = features.filter((feature) => isOn(feature, viewer));
  const entries = on
    .flatMap(({ navigation }) => navigation ?? [])
    .filter(({ isForMembers, isEditor }) => !viewer.is_guest || !(isForMembers || (isEditor && platform === 'dpasa')));
  const inGroup = (group: NavigationEntry['group']) => entries.filter((entry) => entry.group === group);
  const leads = ({ leadsOn }: NavigationEntry) => leadsOn === platform;
  const isUsed = ({ to }: Place) => used.size < leastUsed || used.has(to);
  const groups = (Object.keys(navigationGroups) as NavigationGroup[])
    .map((id) => ({ id, label: navigationGroups[id] as string, places: inGroup(id) }))
    .filter(({ places }) => places.length > 0);
  const admin: PlaceGroup[] = [
    {
      id: 'admin',
      label: 'Admin',
      places: viewer.is_admin ? on.flatMap(({ adminPages }) => adminPages ?? []) : [],
    },
  ];
  const sorted = firstWhere(
    firstWhere(groups, ({ places }) => places.some(isUsed)),
    ({ places }) => places.some(leads),
  );
  return {
    groups: [
      ...sorted.map((group) => ({ ...group, places: firstWhere(firstWhere(group.places, isUsed), leads) })),
      ...admin.filter(({ places }) => places.length > 0),
    ],
    account: inGroup('account'),
    about: inGroup('about'),
  };
}

function firstWhere<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): Item[] {
  return [...items.filter(isFirst), ...items.filter((item) => !isFirst(item))];
}
