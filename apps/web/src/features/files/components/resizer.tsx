import type { KeyboardEvent, PointerEvent } from 'react';
import classes from './project-page.module.css';

interface ResizerProps {
  label: string;
  width: number;
  side: 'left' | 'right';
  onResize(width: number): void;
}

/** The edge between a panel and the text, moved by pointer or arrow keys. */
export function Resizer({ label, width, side, onResize }: ResizerProps) {
  const direction = side === 'left' ? 1 : -1;
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.preventDefault();
    const edge = event.currentTarget;
    const start = event.clientX;
    edge.setPointerCapture(event.pointerId);
    const move = (moved: globalThis.PointerEvent) => onResize(width + direction * (moved.clientX - start));
    edge.addEventListener('pointermove', move);
    edge.addEventListener('lostpointercapture', () => edge.removeEventListener('pointermove', move), { once: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 16 : event.key === 'ArrowLeft' ? -16 : 0;
    if (!step) return;
    event.preventDefault();
    onResize(width + direction * step);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a line cannot be moved; this one can.
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width}
      aria-valuemin={180}
      aria-valuemax={560}
      tabIndex={0}
      className={classes.edge}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
    />
  );
}
