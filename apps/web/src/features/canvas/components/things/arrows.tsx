import { arrowEnds, type PlacedItem, type Point } from '@atoll/notebook';
import { memo, useEffect, useMemo, useReducer } from 'react';
import { useSignal } from '../../../notebook/notebook-context.tsx';
import { useBoard, useSelected, useThing } from '../board-context.tsx';
import classes from './arrows.module.css';

/** All arrows in one drawing, above what they connect. */
export function Arrows() {
  const board = useBoard();
  const ids = useSignal(board, 'things', board.getIds);
  const arrows = useMemo(() => ids.filter((id) => board.getThing(id)?.kind === 'arrow'), [ids, board]);
  return (
    <svg className={classes.arrows} aria-hidden={arrows.length === 0 || undefined}>
      <title>Arrows</title>
      {arrows.map((id) => (
        <Arrow key={id} id={id} />
      ))}
    </svg>
  );
}

const Arrow = memo(function Arrow({ id }: { id: string }) {
  const board = useBoard();
  const thing = useThing(id);
  const isSelected = useSelected(id);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const arrow = thing?.kind === 'arrow' ? (thing as PlacedItem) : null;
  const [from, to] = [arrow?.from.on ?? id, arrow?.to.on ?? id];
  useEffect(() => {
    const stops = [...new Set([from, to, id])].map((each) => board.subscribe(`box:${each}`, redraw));
    return () => {
      for (const stop of stops) stop();
    };
  }, [board, from, to, id]);
  if (!arrow) return null;
  const [start, end] = endsOf(board, arrow);
  return (
    <g
      className={classes.arrow}
      data-thing={id}
      data-kind="arrow"
      data-colour={arrow.colour}
      data-selected={isSelected || undefined}
    >
      <path className={classes.arrowReach} d={lineOf(start, end)} />
      <path className={classes.arrowLine} d={lineOf(start, end)} />
      <path className={classes.arrowHead} d={headOf(start, end)} />
    </g>
  );
});

/** The current ends of an arrow: loose ends move with an arrow that is dragged. */
export function endsOf(board: ReturnType<typeof useBoard>, arrow: PlacedItem): [Point, Point] {
  const find = (id: string) => (id === arrow.id ? undefined : board.boxOf(id));
  const [home, now] = [board.homeOf(arrow.id), board.boxOf(arrow.id)];
  const [dx, dy] = home && now ? [now.x - home.x, now.y - home.y] : [0, 0];
  const moved = {
    ...arrow,
    from: arrow.from.on ? arrow.from : { ...arrow.from, x: arrow.from.x + dx, y: arrow.from.y + dy },
    to: arrow.to.on ? arrow.to : { ...arrow.to, x: arrow.to.x + dx, y: arrow.to.y + dy },
  };
  return arrowEnds(moved, find);
}

export const lineOf = (from: Point, to: Point): string => {
  const [bend, other] = bendsOf(from, to);
  return `M${from.x} ${from.y}C${bend.x} ${bend.y} ${other.x} ${other.y} ${to.x} ${to.y}`;
};

/** Leaves and arrives straight, along the longer way. */
function bendsOf(from: Point, to: Point): [Point, Point] {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  return Math.abs(dx) > Math.abs(dy)
    ? [
        { x: from.x + dx * 0.4, y: from.y },
        { x: to.x - dx * 0.4, y: to.y },
      ]
    : [
        { x: from.x, y: from.y + dy * 0.4 },
        { x: to.x, y: to.y - dy * 0.4 },
      ];
}

export function headOf(from: Point, to: Point): string {
  const [, before] = bendsOf(from, to);
  const angle = Math.atan2(to.y - before.y, to.x - before.x);
  const side = (turn: number) => `${to.x - 12 * Math.cos(angle + turn)} ${to.y - 12 * Math.sin(angle + turn)}`;
  return `M${side(0.45)}L${to.x} ${to.y}L${side(-0.45)}`;
}
