import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { configQuery } from '../sign-in/queries.ts';
import { mayTrack } from './consent.ts';
import { type ErrorReport, ErrorReporter } from './error-reports.ts';
import { sendNow } from './track.ts';

const eventOf = ({ message, stack, path, breadcrumbs }: ErrorReport) => ({
  name: 'client.error',
  properties: {
    ...{ message, stack, path },
    ...Object.fromEntries(breadcrumbs.map((what, index) => [`breadcrumb_${index + 1}`, what])),
  },
});

/** Reports errors of the interface, where the installation wants them. Pages are named by the pattern of their address. */
export function useErrorReports(): void {
  const router = useRouter();
  const isOn = useQuery(configQuery).data?.integrations.sentry.enabled ?? false;
  useEffect(() => {
    if (!isOn || !mayTrack(navigator)) return;
    const path = () => router.state.matches.at(-1)?.fullPath || '/';
    const reporter = new ErrorReporter((reports) => sendNow(reports.map(eventOf)), path);
    const stopping = new AbortController();
    const { signal } = stopping;
    window.addEventListener('error', ({ error, message }) => reporter.report(error ?? message), { signal });
    window.addEventListener('unhandledrejection', ({ reason }) => reporter.report(reason), { signal });
    window.addEventListener('pagehide', () => void reporter.flush(), { signal, capture: true });
    const click = ({ target }: MouseEvent) => {
      const element = target instanceof Element ? target.closest('button, a, [role]') : null;
      if (element)
        reporter.leaveBreadcrumb(`click ${element.tagName.toLowerCase()} ${element.getAttribute('role') ?? ''}`);
    };
    window.addEventListener('click', click, { signal, capture: true });
    const leave = router.subscribe('onResolved', () => reporter.leaveBreadcrumb(`page ${path()}`));
    return () => {
      leave();
      stopping.abort();
    };
  }, [isOn, router]);
}
