import { IconHome } from '@tabler/icons-react';
import type { WebFeature } from '../../platform/features/web-feature.ts';

export const homeFeature: WebFeature = {
  name: 'home',
  navigation: [{ label: 'Home', icon: IconHome, to: '/dashboard', group: 'work' }],
};
