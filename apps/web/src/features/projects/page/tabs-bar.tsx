import type { ProjectFile } from '@atoll/contract/files/entity';
import { CloseButton, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useDocumentKinds } from '../../../platform/features/registry.ts';
import { Dots } from '../../collaboration/dots.tsx';
import { fileIcon } from '../../files/file-icon.ts';
import classes from './tabs-bar.module.css';

interface TabsBarProps {
  files: ProjectFile[];
  tabs: string[];
  shownId: string | undefined;
  onShow(id: string): void;
  onClose(id: string): void;
  /** What can be done with the shown one. */
  children: ReactNode;
}

export function TabsBar({ files, tabs, shownId, onShow, onClose, children }: TabsBarProps) {
  const kinds = useDocumentKinds();
  const open = tabs.flatMap((id) => files.find((file) => file.id === id) ?? []);
  return (
    <div className={classes.bar}>
      {open.length > 0 && (
        <nav aria-label="Open files" className={classes.tabs}>
          {open.map(({ id, name, path }) => {
            const Icon = fileIcon(kinds, name);
            const isShown = id === shownId;
            return (
              <div
                key={id}
                className={classes.tab}
                data-shown={isShown || undefined}
                ref={isShown ? bringIntoView : undefined}
              >
                <UnstyledButton
                  className={classes.name}
                  title={path}
                  aria-current={isShown ? 'page' : undefined}
                  onClick={() => onShow(id)}
                  onAuxClick={(event) => event.button === 1 && onClose(id)}
                >
                  <Icon size={15} stroke={1.5} aria-hidden />
                  {name}
                  <Dots fileId={id} />
                </UnstyledButton>
                <CloseButton size={20} iconSize={13} aria-label={`Close ${name}`} onClick={() => onClose(id)} />
              </div>
            );
          })}
        </nav>
      )}
      {children}
    </div>
  );
}

const bringIntoView = (tab: HTMLElement | null) => tab?.scrollIntoView({ inline: 'nearest', block: 'nearest' });
