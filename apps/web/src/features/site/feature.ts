import { IconInfoCircle, IconMail } from '@tabler/icons-react';
import type { WebFeature } from '../../platform/features/web-feature.ts';

export const siteFeature: WebFeature = {
  name: 'site',
  navigation: [
    { label: 'About', icon: IconInfoCircle, to: '/about', group: 'about' },
    { label: 'Contact', icon: IconMail, to: '/contact-us', group: 'about' },
  ],
};
