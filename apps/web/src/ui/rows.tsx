import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './rows.module.css';

/** A quiet list: what it is, what is known about it, what can be done with it. */
export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={classes.rows} aria-label={label}>
      {children}
    </ul>
  );
}

export function Row(props: { icon?: ReactNode; title: ReactNode; detail: ReactNode; action?: ReactNode }) {
  return (
    <li className={classes.row}>
      {props.icon && (
        <span className={classes.icon} aria-hidden>
          {props.icon}
        </span>
      )}
      <div className={classes.words}>
        <div className={classes.title}>{props.title}</div>
        <Text size="sm" c="dimmed">
          {props.detail}
        </Text>
      </div>
      {props.action}
    </li>
  );
}

/** An empty place says what belongs there. */
export function NothingHere({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed" className={classes.empty}>
      {children}
    </Text>
  );
}
