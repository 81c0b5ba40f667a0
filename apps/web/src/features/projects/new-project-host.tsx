import { Suspense, useSyncExternalStore } from 'react';
import { lazyPart } from '../../platform/features/lazy-part.ts';
import { newProjectAsked, onNewProject } from './new-project.ts';

const NewProjectDialog = lazyPart(() => import('./new/new-project-dialog.tsx'), 'NewProjectDialog');

export function NewProjectHost() {
  const asked = useSyncExternalStore(onNewProject, newProjectAsked);
  return asked > 0 ? (
    <Suspense>
      <NewProjectDialog asked={asked} />
    </Suspense>
  ) : null;
}
