import { Suspense, useSyncExternalStore } from 'react';
import { isExpired, onExpiry } from '../../platform/expiry.ts';
import { lazyPart } from '../../platform/features/lazy-part.ts';

const ExpiredDialog = lazyPart(() => import('./components/expired.tsx'), 'ExpiredDialog');

export function ExpiredHost() {
  const expired = useSyncExternalStore(onExpiry, isExpired);
  return expired ? (
    <Suspense>
      <ExpiredDialog />
    </Suspense>
  ) : null;
}
