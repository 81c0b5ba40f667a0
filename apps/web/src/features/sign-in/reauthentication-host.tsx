import { lazy, Suspense, useSyncExternalStore } from 'react';
import { isProofWanted, onProofWanted } from '../../platform/reauthentication.ts';

const ReauthenticationDialog = lazy(() =>
  import('./components/reauthentication-dialog.tsx').then((module) => ({ default: module.ReauthenticationDialog })),
);

export function ReauthenticationHost() {
  const wanted = useSyncExternalStore(onProofWanted, isProofWanted);
  return wanted ? (
    <Suspense>
      <ReauthenticationDialog />
    </Suspense>
  ) : null;
}
