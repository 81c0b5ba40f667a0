import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './page.module.css';

interface PageProps {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  width?: 'text' | 'form' | 'wide';
  children: ReactNode;
}

/** One page inside the shell: a heading, what it is for, and its content at a readable width. */
export function Page({ title, description, actions, width = 'form', children }: PageProps) {
  return (
    <div className={classes.page} data-width={width}>
      <header className={classes.header}>
        <div>
          <Title order={1}>{title}</Title>
          {description && (
            <Text c="dimmed" mt={4}>
              {description}
            </Text>
          )}
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** A titled card; `aside` sits opposite the title. */
export function Panel(props: { title: string; description?: ReactNode; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className={classes.panel}>
      <header className={classes.panelHeader}>
        <div>
          <Title order={2}>{props.title}</Title>
          {props.description && (
            <Text size="sm" c="dimmed" mt={2}>
              {props.description}
            </Text>
          )}
        </div>
        {props.aside}
      </header>
      <div className={classes.panelBody}>{props.children}</div>
    </section>
  );
}
