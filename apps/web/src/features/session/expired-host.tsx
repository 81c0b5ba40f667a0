import { lazy, Suspense, useSyncExternalStore } from 'react';
import { isExpired, onExpiry } from '../../platform/expiry.ts';

const ExpiredDialog = lazy(() =>
  import('./components/expired.tsx').then((module) => ({ default: module.ExpiredDialog })),
);

export function ExpiredHost() {
  const expired = useSyncExternalStore(onExpiry, isExpired);
  return expired ? (
    <Suspense>
      <ExpiredDialog />
    </Suspense>
  ) : null;
}
