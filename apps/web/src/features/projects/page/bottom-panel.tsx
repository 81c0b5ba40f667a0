import { Drawer } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { readLocal, writeLocal } from '../../../platform/storage.ts';
import classes from './project-page.module.css';
import { Resizer } from './resizer.tsx';

interface BottomPanelProps {
  label: string;
  onClose(): void;
  /** On a phone it lies over the page. */
  isSheet: boolean;
  children: ReactNode;
}

const key = 'panel_height';
const usualHeight = 320;
const range = { min: 120, max: 900 };
const clamp = (height: number) => Math.max(range.min, Math.min(range.max, height));

/** Below the text, as tall as it was left; the whole screen where there is little of it. */
export function BottomPanel({ label, onClose, isSheet, children }: BottomPanelProps) {
  const [height, setHeight] = useState(() => clamp(Number(readLocal(key)) || usualHeight));
  const resize = (next: number) => {
    setHeight(clamp(next));
    writeLocal(key, String(clamp(next)));
  };
  if (isSheet) {
    return (
      <Drawer
        opened
        onClose={onClose}
        title={label}
        position="bottom"
        size="100%"
        classNames={{ body: classes.sheet, content: classes.sheetFrame }}
      >
        {children}
      </Drawer>
    );
  }
  return (
    <>
      <Resizer label={`Height of ${label}`} size={height} side="bottom" range={range} onResize={resize} />
      <aside aria-label={label} className={classes.bottom} style={{ height }}>
        {children}
      </aside>
    </>
  );
}
