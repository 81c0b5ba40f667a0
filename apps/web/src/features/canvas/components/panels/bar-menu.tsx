import { Menu, UnstyledButton } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './panels.module.css';

interface BarMenuProps {
  /** The accessible name, where the visible label does not say what is selected. */
  label?: string;
  icon: Icon;
  words: string;
  width: number;
  children: ReactNode;
}

/** A button with a menu, in the bar of the selection. */
export function BarMenu({ label, icon: Shown, words, width, children }: BarMenuProps) {
  return (
    <Menu width={width}>
      <Menu.Target>
        <UnstyledButton className={classes.barWords} aria-label={label}>
          <Shown size={16} stroke={1.6} aria-hidden /> {words}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
