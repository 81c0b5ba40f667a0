import { IconShieldLock } from '@tabler/icons-react';
import type { WebFeature } from '../../platform/features/web-feature.ts';

export const adminFeature: WebFeature = {
  name: 'admin',
  adminPages: [{ label: 'Admin', icon: IconShieldLock, to: '/admin' }],
};
