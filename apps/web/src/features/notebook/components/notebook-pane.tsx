import type { ProjectFile } from '@atoll/contract/files/entity';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { notebookQuery } from '../queries.ts';
import { NotebookSkeleton } from './notebook-skeleton.tsx';

const Notebook = lazy(() => import('./notebook.tsx').then((module) => ({ default: module.Notebook })));

interface NotebookPaneProps {
  file: ProjectFile;
  onRaw(): void;
}

/** A notebook. What is in it is asked for while the code that shows it is on its way. */
export function NotebookPane({ file, onRaw }: NotebookPaneProps) {
  const { data, error, refetch } = useQuery(notebookQuery(file.project_id, file.id));
  return (
    <Suspense fallback={<NotebookSkeleton />}>
      <Notebook file={file} data={data} error={error} onRaw={onRaw} onRetry={() => void refetch()} />
    </Suspense>
  );
}
