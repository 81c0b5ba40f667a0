import { IconUsersGroup } from '@tabler/icons-react';
import type { WebFeature } from '../../platform/features/web-feature.ts';
import { useTeamsLive } from './live.ts';

export const teamsFeature: WebFeature = {
  name: 'teams',
  flag: 'teams',
  navigation: [{ label: 'Teams', icon: IconUsersGroup, to: '/teams', group: 'people' }],
  useLive: useTeamsLive,
};
