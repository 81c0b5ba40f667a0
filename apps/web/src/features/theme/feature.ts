import { IconPalette } from '@tabler/icons-react';
import type { WebFeature } from '../../platform/features/web-feature.ts';

export const themeFeature: WebFeature = {
  name: 'theme',
  adminPages: [{ label: 'Theme', icon: IconPalette, to: '/theme-preview' }],
};
