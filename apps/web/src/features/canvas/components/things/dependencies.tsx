import { centreOf, type Dependency, dependenciesOf, edgeOf } from '@atoll/notebook';
import { memo, useEffect, useReducer, useRef } from 'react';
import { useNotebook, useSignal } from '../../../notebook/notebook-context.tsx';
import { useBoard } from '../board-context.tsx';
import classes from './arrows.module.css';
import { headOf, lineOf } from './arrows.tsx';

/** Arrows from cells that set a name to cells that use it; shown on demand, and stored nowhere. */
export function Dependencies() {
  const board = useBoard();
  const isShown = useSignal(board, 'dependencies', board.getDependencies);
  return isShown ? <Shown /> : null;
}

function Shown() {
  const { store } = useNotebook();
  const last = useRef<{ key: string; links: Dependency[] }>({ key: '', links: [] });
  const links = useSignal(store, 'document', () => {
    const cells = store.getOrder().flatMap((id) => store.getCell(id) ?? []);
    const found = dependenciesOf(cells);
    const key = JSON.stringify(found);
    if (key !== last.current.key) last.current = { key, links: found };
    return last.current.links;
  });
  return (
    <svg className={classes.arrows} data-dependencies>
      <title>Dependencies</title>
      {links.map((link) => (
        <Link key={`${link.from} ${link.to}`} {...link} />
      ))}
    </svg>
  );
}

const Link = memo(function Link({ from, to, names }: Dependency) {
  const board = useBoard();
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const stops = [from, to].map((id) => board.subscribe(`box:${id}`, redraw));
    return () => {
      for (const stop of stops) stop();
    };
  }, [board, from, to]);
  const isNear = useSignal(board, 'selection', () => board.isSelected(from) || board.isSelected(to));
  const [start, end] = [board.boxOf(from), board.boxOf(to)];
  if (!start || !end) return null;
  const ends = [edgeOf(start, centreOf(end)), edgeOf(end, centreOf(start))] as const;
  const middle = { x: (ends[0].x + ends[1].x) / 2, y: (ends[0].y + ends[1].y) / 2 };
  const words = names.length > 3 ? `${names.slice(0, 3).join(', ')} +${names.length - 3}` : names.join(', ');
  return (
    <g className={classes.dependency} data-from={from} data-to={to} data-chosen={isNear || undefined}>
      <path d={lineOf(...ends)} />
      <path d={headOf(...ends)} className={classes.dependencyHead} />
      <text x={middle.x} y={middle.y}>
        {words}
      </text>
    </g>
  );
});
