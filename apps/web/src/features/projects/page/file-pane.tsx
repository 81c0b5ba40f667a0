import type { ProjectFile } from '@atoll/contract/files/entity';
import { Suspense } from 'react';
import { type DocumentView, shownView, viewsOf } from '../../../platform/features/document-kind.ts';
import { useDocumentKind } from '../../../platform/features/registry.ts';
import { downloadUrl } from '../../files/addresses.ts';
import { DownloadButton } from '../../files/download-button.tsx';
import { TextSkeleton } from '../../files/lazy-editor.tsx';
import { formatSize } from '../../files/model.ts';
import { PageNotice } from '../../files/page-notice.tsx';
import classes from './project-page.module.css';

/** The views of a file and the one to show; which there are is known to its kind. */
export function useViews(file: ProjectFile | undefined, asked: string | undefined) {
  const kind = useDocumentKind(file?.name);
  const views = file ? viewsOf(kind, file) : [];
  return { views, view: shownView(kind, views, asked) };
}

interface FilePaneProps {
  file: ProjectFile;
  views: DocumentView[];
  view: DocumentView | undefined;
  canEdit: boolean;
  onView(view: string): void;
}

export function FilePane({ file, views, view, canEdit, onView }: FilePaneProps) {
  if (!view) {
    return (
      <PageNotice title={file.name} action={<DownloadButton href={downloadUrl(file)} />}>
        {formatSize(file.size)}. No preview available. Download the file to open it.
      </PageNotice>
    );
  }
  const text = views.find(({ isTextEditor }) => isTextEditor);
  return (
    <div className={classes.pane}>
      <Suspense fallback={<TextSkeleton />}>
        <view.component file={file} canEdit={canEdit} onText={text && (() => onView(text.id))} />
      </Suspense>
    </div>
  );
}
