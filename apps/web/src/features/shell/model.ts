import type { FeatureName } from '@atoll/contract/features';
import type { Session } from '@atoll/contract/session/entity';
import type { Icon } from '@tabler/icons-react';
import { IconFolders, IconHome, IconInfoCircle, IconMail, IconPalette, IconUsersGroup } from '@tabler/icons-react';

/** One place in the workspace. `to` is checked against the routes, so nothing can lead nowhere. */
export interface NavEntry {
  label: string;
  icon: Icon;
  to: '/dashboard' | '/projects' | '/teams' | '/theme-preview' | '/about' | '/contact-us';
  feature?: FeatureName;
  role?: 'admin' | 'member';
}

/** A new area is one line here, next to its route. */
export const places: NavEntry[] = [
  { label: 'Home', icon: IconHome, to: '/dashboard' },
  { label: 'Projects', icon: IconFolders, to: '/projects', feature: 'projects' },
  { label: 'Teams', icon: IconUsersGroup, to: '/teams', feature: 'teams' },
  { label: 'Theme', icon: IconPalette, to: '/theme-preview', role: 'admin' },
];

export const footPlaces: NavEntry[] = [
  { label: 'About', icon: IconInfoCircle, to: '/about' },
  { label: 'Contact', icon: IconMail, to: '/contact-us' },
];

type Viewer = Pick<Session, 'is_admin' | 'is_guest' | 'features'>;

/** What this person may see: the role must fit and the feature must be on. */
export function visible(entries: NavEntry[], viewer: Viewer): NavEntry[] {
  return entries.filter(({ feature, role }) => {
    if (role === 'admin' && !viewer.is_admin) return false;
    if (role === 'member' && viewer.is_guest) return false;
    return !feature || viewer.features?.[feature]?.enabled === true;
  });
}
