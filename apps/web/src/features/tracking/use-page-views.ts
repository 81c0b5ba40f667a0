import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { track } from './track.ts';

/** Counts pages by the pattern of their address: no ids, no names, nothing of what was searched. */
export function usePageViews(): void {
  const router = useRouter();
  useEffect(() => {
    const count = () => track('page.view', { path: router.state.matches.at(-1)?.fullPath || '/' });
    count();
    return router.subscribe('onResolved', ({ pathChanged }) => pathChanged && count());
  }, [router]);
}
