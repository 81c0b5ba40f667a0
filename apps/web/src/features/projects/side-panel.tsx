import { Drawer } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { readLocal, writeLocal } from '../../platform/storage.ts';
import classes from './page/project-page.module.css';
import { Resizer } from './page/resizer.tsx';

interface SidePanelProps {
  label: string;
  side: 'left' | 'right';
  opened: boolean;
  onClose(): void;
  /** On a phone it lies over the page. */
  isSheet: boolean;
  children: ReactNode;
}

/** Between both, a notebook has 640 pixels on a screen of 1440. */
const usualWidths = { left: 240, right: 320 };
const range = { min: 180, max: 560 };
/** Widths are remembered for screens of about the same size. */
const screenSize = () => (window.innerWidth < 1200 ? 'small' : window.innerWidth < 1800 ? 'medium' : 'large');
const clamp = (width: number) => Math.max(range.min, Math.min(range.max, width));

/** Beside the text, as wide as it was left; a sheet where there is no room beside it. */
export function SidePanel({ label, side, opened, onClose, isSheet, children }: SidePanelProps) {
  const key = `panel_width:${side}:${screenSize()}`;
  const [width, setWidth] = useState(() => clamp(Number(readLocal(key)) || usualWidths[side]));
  const resize = (next: number) => {
    setWidth(clamp(next));
    writeLocal(key, String(clamp(next)));
  };
  if (isSheet) {
    return (
      <Drawer
        opened={opened}
        onClose={onClose}
        title={label}
        position={side}
        size="88%"
        classNames={{ body: classes.sheet, content: classes.sheetFrame }}
      >
        {children}
      </Drawer>
    );
  }
  if (!opened) return null;
  const resizer = <Resizer label={`Width of ${label}`} size={width} side={side} range={range} onResize={resize} />;
  return (
    <>
      {side === 'right' && resizer}
      <aside aria-label={label} className={classes.panel} style={{ width }}>
        {children}
      </aside>
      {side === 'left' && resizer}
    </>
  );
}
