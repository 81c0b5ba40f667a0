import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useNotebook } from './notebook-context.tsx';
import classes from './panels/side-panels.module.css';

export function PanelHead({ title, children }: { title: string; children?: ReactNode }) {
  const { ui } = useNotebook();
  return (
    <div className={classes.head}>
      <h2>{title}</h2>
      {children}
      <ActionIcon size={24} aria-label={`Close ${title}`} onClick={() => ui.showPanel(null)}>
        <IconX size={15} />
      </ActionIcon>
    </div>
  );
}
