import { Alert, Button, Group } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { Suspense } from 'react';
import { bringIntoView } from '../../../ui/bring-into-view.ts';
import { Page } from '../../../ui/page.tsx';
import { SectionSkeleton } from '../../../ui/section-skeleton.tsx';
import { useSession } from '../../session/queries.ts';
import { useSettingsPages } from '../use-settings-pages.ts';
import classes from './profile-page.module.css';

export function ProfilePage({ section }: { section?: string }) {
  const session = useSession();
  const pages = useSettingsPages();
  const shown = pages.find(({ id }) => id === section) ?? pages[0];
  return (
    <Page
      title="Settings"
      description={session.is_guest ? undefined : 'Your profile, sign-in methods and preferences.'}
    >
      {session.is_guest && <GuestNotice />}
      <div className={classes.columns}>
        <nav aria-label="Account sections" className={classes.nav}>
          {pages.map(({ id, label }) => (
            <Link
              key={id}
              ref={id === shown?.id ? bringIntoView : undefined}
              to="/profile"
              search={{ section: id }}
              className={classes.tab}
              data-active={id === shown?.id || undefined}
              aria-current={id === shown?.id ? 'page' : undefined}
            >
              {label}
            </Link>
          ))}
        </nav>
        <div>
          <Suspense fallback={<SectionSkeleton />}>{shown && <shown.component />}</Suspense>
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
