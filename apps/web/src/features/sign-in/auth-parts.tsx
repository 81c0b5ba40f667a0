import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './components/auth-parts.module.css';

export function AuthHeading({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={classes.heading}>
      <Title order={1}>{title}</Title>
      {children && (
        <Text c="dimmed" mt={4}>
          {children}
        </Text>
      )}
    </div>
  );
}

export function AuthFoot({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed" ta="center" mt="lg">
      {children}
    </Text>
  );
}
