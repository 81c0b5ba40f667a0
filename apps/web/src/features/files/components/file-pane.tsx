import type { ProjectFile } from '@atoll/contract/files/entity';
import { lazy, Suspense } from 'react';
import { messageOf } from '../../../platform/api-error.ts';
import { RetryButton } from '../../../ui/problem.tsx';
import { NotebookPane } from '../../notebook/components/notebook-pane.tsx';
import { downloadUrl } from '../addresses.ts';
import { NotText } from '../content.ts';
import { useDocument, useSaveState } from '../documents.ts';
import { formatSize, isNotebook, type PageView } from '../model.ts';
import { DownloadButton } from './download-button.tsx';
import { TextSkeleton } from './lazy-editor.tsx';
import { LiveEditor } from './live-editor.tsx';
import { PageNotice } from './page-notice.tsx';
import classes from './project-page.module.css';

const Preview = lazy(() => import('./preview.tsx').then((module) => ({ default: module.Preview })));
const DataPane = lazy(() => import('./data-pane.tsx').then((module) => ({ default: module.DataPane })));
const Conflict = lazy(() => import('./conflict.tsx').then((module) => ({ default: module.Conflict })));

interface FilePaneProps {
  file: ProjectFile;
  view: PageView | undefined;
  canEdit: boolean;
  onView(view: PageView): void;
}

/** One file, as text, as a table or as what it shows. */
export function FilePane({ file, view, canEdit, onView }: FilePaneProps) {
  if (!view) {
    return (
      <PageNotice title={file.name} action={<DownloadButton href={downloadUrl(file)} />}>
        {formatSize(file.size)}. No preview available. Download the file to open it.
      </PageNotice>
    );
  }
  return (
    <div className={classes.pane}>
      <Suspense fallback={<TextSkeleton />}>
        {view === 'preview' &&
          (isNotebook(file.name) ? <NotebookPane file={file} onRaw={() => onView('code')} /> : <Preview file={file} />)}
        {view === 'data' && <DataPane file={file} onText={() => onView('code')} />}
        {view === 'code' && <CodePane file={file} canEdit={canEdit} />}
      </Suspense>
    </div>
  );
}

function CodePane({ file, canEdit }: { file: ProjectFile; canEdit: boolean }) {
  const { data: document, error, refetch } = useDocument(file);
  const state = useSaveState(document);
  if (error) {
    return (
      <PageNotice
        title={error instanceof NotText ? file.name : 'Could not load the file'}
        action={
          error instanceof NotText ? (
            <DownloadButton href={downloadUrl(file)} />
          ) : (
            <RetryButton onClick={() => refetch()} />
          )
        }
      >
        {messageOf(error)}
      </PageNotice>
    );
  }
  if (!document) return <TextSkeleton />;
  if (state.kind === 'conflict') return <Conflict document={document} theirs={state.theirs} />;
  return <LiveEditor document={document} file={file} canEdit={canEdit} />;
}
