import type { ProjectFile } from '@atoll/contract/files/entity';
import { Button } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useNotebook } from '../notebook-context.tsx';
import classes from '../toolbar/toolbar.module.css';
import { NotebookVersion } from './notebook-version.tsx';

/** The notebook as its last successful run left it, in place of the current one. */
export function PastView({ file }: { file: Pick<ProjectFile, 'id' | 'project_id' | 'name'> }) {
  const { ui } = useNotebook();
  return (
    <>
      <div className={classes.bar} data-past role="status">
        <IconHistory size={16} stroke={1.6} aria-hidden />
        <span className={classes.past}>Outputs of the last successful run. Read only.</span>
        <div className={classes.spring} />
        <Button size="compact-sm" variant="default" onClick={() => ui.showPast(false)}>
          Back to the current notebook
        </Button>
      </div>
      <NotebookVersion file={file} versionId={null} />
    </>
  );
}
