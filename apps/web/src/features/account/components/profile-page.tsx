import { Alert, Button, Group } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { bringIntoView } from '../../../ui/bring-into-view.ts';
import { Page } from '../../../ui/page.tsx';
import { SectionSkeleton } from '../../../ui/section-skeleton.tsx';
import { useSession } from '../../session/queries.ts';
import { type Section, sections, visibleSections } from '../model.ts';
import classes from './profile-page.module.css';

const contents = {
  profile: lazy(() => import('./profile-section.tsx').then((module) => ({ default: module.ProfileSection }))),
  about: lazy(() => import('./about-section.tsx').then((module) => ({ default: module.AboutSection }))),
  security: lazy(() => import('./security-section.tsx').then((module) => ({ default: module.SecuritySection }))),
  keys: lazy(() => import('./keys-section.tsx').then((module) => ({ default: module.KeysSection }))),
  secrets: lazy(() => import('./secrets-section.tsx').then((module) => ({ default: module.SecretsSection }))),
  connections: lazy(() =>
    import('./connections-section.tsx').then((module) => ({ default: module.ConnectionsSection })),
  ),
  preferences: lazy(() =>
    import('./preferences-section.tsx').then((module) => ({ default: module.PreferencesSection })),
  ),
};

export function ProfilePage({ section }: { section?: Section }) {
  const session = useSession();
  const offered = visibleSections(session);
  const shown = section && offered.includes(section) ? section : (offered[0] ?? 'preferences');
  const Content = contents[shown];
  return (
    <Page
      title={session.is_guest ? 'Preferences' : 'Profile'}
      description={session.is_guest ? undefined : 'Your profile, sign-in methods and preferences.'}
    >
      {session.is_guest && <GuestNotice />}
      <div className={classes.columns}>
        <nav aria-label="Account sections" className={classes.nav}>
          {offered.map((each) => (
            <Link
              key={each}
              ref={each === shown ? bringIntoView : undefined}
              to="/profile"
              search={{ section: each }}
              className={classes.tab}
              data-active={each === shown || undefined}
              aria-current={each === shown ? 'page' : undefined}
            >
              {sections[each].label}
            </Link>
          ))}
        </nav>
        <div className={classes.content}>
          <Suspense fallback={<SectionSkeleton />}>
            <Content />
          </Suspense>
        </div>
      </div>
    </Page>
  );
}

function GuestNotice() {
  const navigate = useNavigate();
  return (
    <Alert color="primary" mb="md" title="You are a guest">
      <Group justify="space-between" gap={8}>
        Create an account to get a profile, API keys and to keep your projects.
        <Button size="xs" onClick={() => navigate({ to: '/sign-up', search: { return_to: '/profile' } })}>
          Create account
        </Button>
      </Group>
    </Alert>
  );
}
