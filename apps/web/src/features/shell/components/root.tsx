import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useMatches, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { connectAs } from '../../../platform/realtime/realtime.ts';
import { isMiniApp } from '../../../platform/telegram/telegram-host.ts';
import { pageTitle } from '../../../platform/titles.ts';
import { useTheme } from '../../../ui/theme/theme-context.tsx';
import { ExpiredHost } from '../../session/expired-host.tsx';
import { sessionQuery, useSession } from '../../session/queries.ts';
import { ReauthenticationHost } from '../../sign-in/reauthentication-host.tsx';
import { useErrorReports } from '../../tracking/use-error-reports.ts';
import { usePageViews } from '../../tracking/use-page-views.ts';
import { nameOf } from '../page-name.ts';

/** What every page has: its title, where the focus goes after a change of page, and the two dialogs about identity. */
export function Root() {
  const { web_name: name } = useTheme();
  const title = useMatches({
    select: (matches) =>
      matches.some((match) => match._notFound || match.status === 'notFound')
        ? 'Not found'
        : matches.map(nameOf).findLast(Boolean),
  });
  const { id, preferences, position } = useSession();

  useEffect(() => {
    document.title = pageTitle(title, name, isMiniApp());
  }, [title, name]);
  useEffect(() => {
    document.documentElement.toggleAttribute('data-still', preferences?.reduced_motion ?? false);
  }, [preferences?.reduced_motion]);
  const queryClient = useQueryClient();
  useEffect(
    () => connectAs(id, () => queryClient.invalidateQueries(sessionQuery), position),
    [id, position, queryClient],
  );
  useFocusAfterNavigation();
  usePageViews();
  useErrorReports();

  return (
    <>
      <Outlet />
      <ExpiredHost />
      <ReauthenticationHost />
    </>
  );
}

/** Someone who cannot see the page change must land on it, not stay at the link they pressed. */
function useFocusAfterNavigation(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onResolved', ({ pathChanged, fromLocation }) => {
        if (pathChanged && fromLocation) document.getElementById('main')?.focus({ preventScroll: true });
      }),
    [router],
  );
}
