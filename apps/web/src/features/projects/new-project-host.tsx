import { lazy, Suspense, useSyncExternalStore } from 'react';
import { newProjectAsked, onNewProject } from './new-project.ts';

const NewProjectDialog = lazy(() =>
  import('./new/new-project-dialog.tsx').then((module) => ({ default: module.NewProjectDialog })),
);

export function NewProjectHost() {
  const asked = useSyncExternalStore(onNewProject, newProjectAsked);
  return asked > 0 ? (
    <Suspense>
      <NewProjectDialog asked={asked} />
    </Suspense>
  ) : null;
}
