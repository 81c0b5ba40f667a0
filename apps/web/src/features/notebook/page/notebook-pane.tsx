import { useQuery } from '@tanstack/react-query';
import { type ComponentType, Suspense } from 'react';
import type { DocumentViewProps } from '../../../platform/features/document-kind.ts';
import { lazyPart } from '../../../platform/features/lazy-part.ts';
import { notebookQuery } from '../queries.ts';
import type { NotebookData } from './notebook-provider.tsx';
import { NotebookSkeleton } from './notebook-skeleton.tsx';

const Notebook = lazyPart(() => import('./notebook.tsx'), 'Notebook');

interface NotebookPaneProps extends DocumentViewProps {
  /** The component inside of `NotebookProvider`; a list of cells by default. */
  view?: ComponentType<NotebookData>;
}

/** A notebook. Its data is loaded in parallel with the code that shows it. */
export function NotebookPane({ file, onText, view: View = Notebook }: NotebookPaneProps) {
  const { data, error, refetch } = useQuery(notebookQuery(file.project_id, file.id));
  return (
    <Suspense fallback={<NotebookSkeleton />}>
      <View file={file} data={data} error={error} onText={onText} onRetry={() => void refetch()} />
    </Suspense>
  );
}
