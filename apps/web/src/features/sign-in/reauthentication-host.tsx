import { Suspense, useSyncExternalStore } from 'react';
import { lazyPart } from '../../platform/features/lazy-part.ts';
import { isProofWanted, onProofWanted } from '../../platform/reauthentication.ts';

const ReauthenticationDialog = lazyPart(
  () => import('./components/reauthentication-dialog.tsx'),
  'ReauthenticationDialog',
);

export function ReauthenticationHost() {
  const wanted = useSyncExternalStore(onProofWanted, isProofWanted);
  return wanted ? (
    <Suspense>
      <ReauthenticationDialog />
    </Suspense>
  ) : null;
}
