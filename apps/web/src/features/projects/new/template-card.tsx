import { Loader, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from '../template-gallery.module.css';

interface TemplateCardProps {
  title: string;
  text: string;
  isPending?: boolean;
  onClick(): void;
  children: ReactNode;
}

export function TemplateCard({ title, text, isPending = false, onClick, children }: TemplateCardProps) {
  return (
    <li>
      <UnstyledButton className={classes.card} onClick={onClick} aria-busy={isPending || undefined}>
        <span className={classes.picture}>{isPending ? <Loader size={20} aria-hidden /> : children}</span>
        <span className={classes.words}>
          <strong>{title}</strong>
          <span>{text}</span>
        </span>
      </UnstyledButton>
    </li>
  );
}
