import { lazyPart } from '../../platform/features/lazy-part.ts';
import type { FeatureParts } from '../../platform/features/web-feature.ts';

export const parts: FeatureParts = {
  settingsPages: [
    {
      id: 'profile',
      label: 'Profile',
      description: 'Your public profile',
      component: lazyPart(() => import('./components/profile-section.tsx'), 'ProfileSection'),
    },
    {
      id: 'about',
      label: 'About page',
      description: 'A page about you',
      component: lazyPart(() => import('./components/about-section.tsx'), 'AboutSection'),
    },
    {
      id: 'security',
      label: 'Security',
      description: 'Password, passkeys and sessions',
      component: lazyPart(() => import('./components/security-section.tsx'), 'SecuritySection'),
    },
    {
      id: 'keys',
      label: 'API keys',
      description: 'For scripts and programs',
      component: lazyPart(() => import('./components/keys-section.tsx'), 'KeysSection'),
    },
    {
      id: 'secrets',
      label: 'Secrets',
      description: 'Passwords and keys for your code',
      component: lazyPart(() => import('./components/secrets-section.tsx'), 'SecretsSection'),
    },
    {
      id: 'connections',
      label: 'Connections',
      description: 'Other accounts you sign in with',
      component: lazyPart(() => import('./components/connections-section.tsx'), 'ConnectionsSection'),
    },
    {
      id: 'preferences',
      label: 'Preferences',
      description: 'Appearance, editor and notifications',
      isForGuests: true,
      component: lazyPart(() => import('./components/preferences-section.tsx'), 'PreferencesSection'),
    },
  ],
};
