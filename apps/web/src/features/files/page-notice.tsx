import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './page-notice.module.css';

/** A message in place of a missing file: the reason, and the next step. */
export function PageNotice(props: { title: string; children: ReactNode; action?: ReactNode }) {
  return (
    <div className={classes.notice}>
      <Title order={2}>{props.title}</Title>
      <Text c="dimmed" mb="sm">
        {props.children}
      </Text>
      {props.action}
    </div>
  );
}
