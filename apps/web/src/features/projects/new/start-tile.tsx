import { Loader, UnstyledButton } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import classes from './new-project-dialog.module.css';

interface StartTileProps {
  icon: Icon;
  label: string;
  text: string;
  pending: boolean;
  onClick(): void;
}

export function StartTile({ icon: Icon, label, text, pending, onClick }: StartTileProps) {
  return (
    <UnstyledButton className={classes.tile} onClick={onClick} aria-busy={pending || undefined}>
      <span className={classes.icon} aria-hidden>
        {pending ? <Loader size={16} /> : <Icon size={19} stroke={1.6} />}
      </span>
      <span className={classes.words}>
        <strong>{label}</strong>
        <span>{text}</span>
      </span>
    </UnstyledButton>
  );
}
