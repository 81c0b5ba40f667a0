import type { KeyboardEvent, PointerEvent } from 'react';
import classes from './project-page.module.css';

interface ResizerProps {
  label: string;
  size: number;
  /** Where the panel is, seen from the text. */
  side: 'left' | 'right' | 'bottom';
  range: { min: number; max: number };
  onResize(size: number): void;
}

const steps: Record<string, number> = { ArrowRight: 16, ArrowDown: 16, ArrowLeft: -16, ArrowUp: -16 };

/** The edge between a panel and the text, moved by pointer or arrow keys. */
export function Resizer({ label, size, side, range, onResize }: ResizerProps) {
  const direction = side === 'left' ? 1 : -1;
  const isLying = side === 'bottom';
  const placeOf = (event: { clientX: number; clientY: number }) => (isLying ? event.clientY : event.clientX);
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.preventDefault();
    const edge = event.currentTarget;
    const start = placeOf(event);
    edge.setPointerCapture(event.pointerId);
    const move = (moved: globalThis.PointerEvent) => onResize(size + direction * (placeOf(moved) - start));
    edge.addEventListener('pointermove', move);
    edge.addEventListener('lostpointercapture', () => edge.removeEventListener('pointermove', move), { once: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (!step || isLying !== ['ArrowUp', 'ArrowDown'].includes(event.key)) return;
    event.preventDefault();
    onResize(size + direction * step);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a line cannot be moved; this one can.
    <div
      role="separator"
      aria-orientation={isLying ? 'horizontal' : 'vertical'}
      aria-label={label}
      aria-valuenow={size}
      aria-valuemin={range.min}
      aria-valuemax={range.max}
      tabIndex={0}
      className={classes.edge}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
    />
  );
}
