import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import { useNotebook } from './notebook-context.tsx';
import { sideOfPanel } from './panels/panel-sides.ts';
import classes from './panels/side-panels.module.css';

interface PanelHeadProps {
  /** The panel's id. */
  id: string;
  title: string;
  children?: ReactNode;
}

export function PanelHead({ id, title, children }: PanelHeadProps) {
  const { ui } = useNotebook();
  // Elsewhere the page's panel has the button.
  const isNarrow = useIsNarrow();
  return (
    <div className={classes.head}>
      <h2>{title}</h2>
      {children}
      {isNarrow && (
        <ActionIcon size={24} aria-label={`Close ${title}`} onClick={() => ui.closePanel(sideOfPanel(id))}>
          <IconX size={15} />
        </ActionIcon>
      )}
    </div>
  );
}
