import { messageOf } from '../../../platform/api-error.ts';
import type { DocumentViewProps } from '../../../platform/features/document-kind.ts';
import { lazyPart } from '../../../platform/features/lazy-part.ts';
import { RetryButton } from '../../../ui/problem.tsx';
import { downloadUrl } from '../addresses.ts';
import { NotText } from '../content.ts';
import { useDocument, useSaveState } from '../documents.ts';
import { DownloadButton } from '../download-button.tsx';
import { TextSkeleton } from '../lazy-editor.tsx';
import { PageNotice } from '../page-notice.tsx';
import { LiveEditor } from './live-editor.tsx';

const Conflict = lazyPart(() => import('./conflict.tsx'), 'Conflict');

export function CodePane({ file, canEdit }: DocumentViewProps) {
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
