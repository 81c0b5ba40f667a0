import type { ProjectFile } from '@atoll/contract/files/entity';
import { personName } from '@atoll/contract/users/names';
import { Button } from '@mantine/core';
import { Suspense, useEffect, useState } from 'react';
import { lazyPart } from '../../../platform/features/lazy-part.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { useLobby } from '../../collaboration/lobby-context.tsx';
import { LockBanner } from '../../collaboration/lock-banner.tsx';
import { useFileLock } from '../../collaboration/use-file-lock.ts';
import { useNews, useSaveState } from '../documents.ts';
import { CodeEditor } from '../lazy-editor.tsx';
import type { OpenDocument } from './document.ts';
import classes from './live-editor.module.css';

const UnsavedDialog = lazyPart(() => import('./unsaved-dialog.tsx'), 'UnsavedDialog');

interface LiveEditorProps {
  file: ProjectFile;
  document: OpenDocument;
  canEdit: boolean;
}

/** A text with the other people in it: one of them writes, and all see the saved text. */
export function LiveEditor({ file, document, canEdit }: LiveEditorProps) {
  const [lock, view] = useFileLock(file, document, canEdit);
  const lobby = useLobby();
  const state = useSaveState(document);
  const [isComparing, setComparing] = useState(false);
  const isUnsaved = state.kind === 'held';
  useEffect(() => lobby?.edit(view.isMine), [lobby, view.isMine]);
  return (
    <div className={classes.frame}>
      {lock && view.other && (
        <LockBanner lock={lock} view={view}>
          {isUnsaved && (
            <>
              <CopyButton value={document.text} label="Copy my text" />
              <Button size="xs" variant="default" onClick={() => setComparing(true)}>
                Compare
              </Button>
            </>
          )}
        </LockBanner>
      )}
      {!view.other && <News document={document} />}
      <div className={classes.text}>
        <CodeEditor
          document={document}
          name={file.name}
          isReadOnly={!canEdit || view.other !== null}
          onType={lock?.typed}
        />
        <Updated document={document} />
      </div>
      {isComparing && isUnsaved && (
        <Suspense>
          <UnsavedDialog document={document} onClose={() => setComparing(false)} />
        </Suspense>
      )}
    </div>
  );
}

/** Reports that another person saved a newer version while this one has unsaved changes. */
function News({ document }: { document: OpenDocument }) {
  const news = useNews(document);
  if (news?.kind !== 'behind') return null;
  return (
    <p className={classes.news} role="status">
      {nameOf(news.file)} saved a newer version. Your changes are kept; compare both before you save.
    </p>
  );
}

const shownMs = 5_000;

/** Shows for a moment which person changed the text. */
function Updated({ document }: { document: OpenDocument }) {
  const news = useNews(document);
  const [seen, setSeen] = useState(news);
  useEffect(() => {
    const timer = setTimeout(() => setSeen(news), shownMs);
    return () => clearTimeout(timer);
  }, [news]);
  return (
    <span className={classes.updated} role="status">
      {news?.kind === 'updated' && news !== seen && <span>Updated by {nameOf(news.file)}</span>}
    </span>
  );
}

const nameOf = ({ updated_by }: ProjectFile): string => (updated_by ? personName(updated_by) : 'a deleted user');
