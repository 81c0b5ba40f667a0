import type { PlacedItem, Point } from '@atoll/notebook';
import { type CSSProperties, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useSignal } from '../../../notebook/notebook-context.tsx';
import { smoothPath } from '../../geometry.ts';
import { useBoard } from '../board-context.tsx';
import classes from './items.module.css';

/** An item beside the cells. */
export function ItemView({ item }: { item: PlacedItem }) {
  switch (item.kind) {
    case 'sticky':
      return (
        <div
          className={classes.sticky}
          data-colour={item.colour}
          data-long={fittedSize(item) === leastSize || undefined}
        >
          <Words item={item} label="Sticky note" isFitted />
        </div>
      );
    case 'shape':
      return (
        <div className={classes.shape} data-colour={item.colour} data-shape={item.shape}>
          <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden>
            {item.shape === 'ellipse' ? (
              <ellipse cx="50" cy="50" rx="50" ry="50" />
            ) : item.shape === 'diamond' ? (
              <polygon points="50,0 100,50 50,100 0,50" />
            ) : (
              <rect width="100" height="100" />
            )}
          </svg>
          <Words item={item} label="Shape" />
        </div>
      );
    case 'text':
      return (
        <div className={classes.text} data-colour={item.colour} data-size={item.size}>
          <Words item={item} label="Text" />
        </div>
      );
    case 'frame':
      return (
        <div className={classes.frame}>
          <div className={classes.frameTitle} data-grip>
            <Words item={item} label="Frame" />
          </div>
        </div>
      );
    case 'drawing':
      return <Drawing item={item} />;
    default:
      return <div className={classes.unknown}>This item was made with a newer version. It is kept as it is.</div>;
  }
}

function Drawing({ item: { points, extent, colour } }: { item: PlacedItem }) {
  const pairs: Point[] = [];
  for (let at = 0; at < points.length; at += 2) pairs.push({ x: points[at] ?? 0, y: points[at + 1] ?? 0 });
  return (
    <svg
      className={classes.drawing}
      data-colour={colour}
      viewBox={`0 0 ${extent.w} ${extent.h}`}
      preserveAspectRatio="none"
      role="img"
      aria-label="Drawing"
    >
      <path d={smoothPath(pairs)} />
    </svg>
  );
}

const noteMargin = 24;
const leastSize = 10;

/** Shorter text is larger, as on paper: as large as its area and its longest word allow. */
function fittedSize({ text, w, h }: PlacedItem): number {
  const [width, height] = [Math.max(8, w - noteMargin), Math.max(8, h - noteMargin)];
  const longest = Math.max(1, ...text.split(/\s+/).map((word) => word.length));
  const lines = text.split('\n').length;
  const byArea = Math.sqrt((width * height * 0.9) / Math.max(1, text.length));
  return Math.round(Math.max(leastSize, Math.min(30, byArea, width / (longest * 0.6), height / (lines * 1.3))));
}

/** The text of an item: read, or edited in place. */
function Words({ item, label, isFitted = false }: { item: PlacedItem; label: string; isFitted?: boolean }) {
  const board = useBoard();
  const isEditing = useSignal(board, `editing:${item.id}`, () => board.getEditing() === item.id);
  const { text } = item;
  const style = isFitted ? { fontSize: fittedSize(item) } : undefined;
  if (isEditing) return <Writing item={item} label={label} style={style} />;
  return (
    <div className={classes.words} style={style} data-empty={text === '' || undefined}>
      {text}
    </div>
  );
}

function Writing({ item, label, style }: { item: PlacedItem; label: string; style?: CSSProperties | undefined }) {
  const board = useBoard();
  const [value, setValue] = useState(item.text);
  const latest = useRef(value);
  latest.current = value;
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus({ preventScroll: true });
    field.current?.select();
  }, []);
  useLayoutEffect(() => {
    const element = field.current;
    if (!element) return;
    element.style.height = '0';
    element.style.height = `${element.scrollHeight}px`;
  });
  const finish = () => {
    if (board.getEditing() === item.id) board.edits(null);
  };
  const { id, text } = item;
  // The typed text is saved however the editing ends.
  useEffect(
    () => () => {
      const fields = { text: latest.current };
      if (fields.text !== text) board.edit([{ op: 'update_item', item_id: id, fields }]);
    },
    [board, id, text],
  );
  return (
    <textarea
      ref={field}
      className={classes.writing}
      aria-label={label}
      style={style}
      value={value}
      maxLength={20_000}
      onChange={(event) => setValue(event.currentTarget.value)}
      onBlur={finish}
      onKeyDown={(event) => {
        event.stopPropagation();
        const isEnd =
          event.key === 'Escape' ||
          (event.key === 'Enter' && (event.metaKey || event.ctrlKey || item.kind === 'frame'));
        if (!isEnd) return;
        event.preventDefault();
        finish();
        board.focusBoard();
      }}
    />
  );
}
