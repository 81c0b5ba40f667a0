import type { ProjectDetail } from '@atoll/contract/projects/entity';
import { Button, type ButtonProps } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../platform/features/lazy-part.ts';
import classes from './components/sharing.module.css';

const ShareDialog = lazyPart(() => import('./components/share-dialog.tsx'), 'ShareDialog');

type ShareButtonProps = { project: ProjectDetail } & Pick<ButtonProps, 'size' | 'variant'>;

export function ShareButton({ project, size = 'compact-sm', variant = 'light' }: ShareButtonProps) {
  // A notification leads here with the dialog open.
  const { panel } = useSearch({ strict: false }) as { panel?: string };
  const [shown, setShown] = useState(panel === 'share');
  if (project.deleted_at) return null;
  return (
    <>
      <Button
        size={size}
        variant={variant}
        className={classes.button}
        aria-label="Share"
        aria-haspopup="dialog"
        onClick={() => setShown(true)}
      >
        <IconUserPlus size={16} stroke={1.6} />
        <span className={classes.buttonWord}>Share</span>
      </Button>
      <Suspense>{shown && <ShareDialog project={project} onClose={() => setShown(false)} />}</Suspense>
    </>
  );
}
