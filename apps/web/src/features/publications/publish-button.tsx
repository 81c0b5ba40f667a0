import type { ProjectFile } from '@atoll/contract/files/entity';
import type { ProjectDetail } from '@atoll/contract/projects/entity';
import { Button } from '@mantine/core';
import { IconWorldUpload } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../platform/features/lazy-part.ts';
import { useDocumentKind } from '../../platform/features/registry.ts';
import { useSession } from '../session/queries.ts';
import classes from './components/publish.module.css';

const PublishDialog = lazyPart(() => import('./publish-dialog.tsx'), 'PublishDialog');

/** For those who may, which takes an account, where the file is of a kind that can be published. */
export function PublishButton({ project, file }: { project: ProjectDetail; file: ProjectFile | undefined }) {
  const { features, is_guest } = useSession();
  const { panel } = useSearch({ strict: false }) as { panel?: string };
  const [shown, setShown] = useState(panel === 'publish');
  const kind = useDocumentKind(file?.name);
  const isOffered =
    kind?.isPublishable &&
    !is_guest &&
    project.permissions.includes('publish') &&
    !project.deleted_at &&
    features?.publish?.enabled === true;
  if (!isOffered || !file) return null;
  return (
    <>
      <Button
        size="compact-sm"
        variant="light"
        className={classes.button}
        aria-label="Publish"
        aria-haspopup="dialog"
        onClick={() => setShown(true)}
      >
        <IconWorldUpload size={16} stroke={1.6} />
        <span className={classes.buttonWord}>Publish</span>
      </Button>
      <Suspense>
        {shown && <PublishDialog projectId={project.id} fileId={file.id} onClose={() => setShown(false)} />}
      </Suspense>
    </>
  );
}
