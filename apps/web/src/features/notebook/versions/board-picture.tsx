import type { Notebook } from '@atoll/contract';
import { arrowEnds, boundsOf, compareThings, type PlacedItem, type Thing, tilesOf } from '@atoll/notebook';
import { smoothPath } from '../../canvas/geometry.ts';
import classes from './board-picture.module.css';
import { thingsOn } from './compare-boards.ts';

type Drawn = Pick<Notebook, 'cells' | 'items'>;

interface PictureProps {
  notebook: Drawn;
  label: string;
  /** Marked cells or items by id, each with its kind of mark. */
  marks?: ReadonlyMap<string, string>;
}

const margin = 24;

/** A small, read-only picture of an earlier canvas. */
export function BoardPicture({ notebook, label, marks }: PictureProps) {
  const things = thingsOn(notebook).sort(compareThings);
  const bounds = boundsOf(things.filter(({ kind }) => kind !== 'arrow')) ?? boundsOf(things);
  if (!bounds) return <p className={classes.none}>Nothing on the canvas.</p>;
  const byId = new Map(things.map((thing) => [thing.id, thing]));
  const viewBox = [bounds.x - margin, bounds.y - margin, bounds.w + 2 * margin, bounds.h + 2 * margin].join(' ');
  return (
    <svg className={classes.picture} viewBox={viewBox} role="img" aria-label={label}>
      {things.map((thing) => (
        <g key={thing.id} data-mark={marks?.get(thing.id)} data-kind={thing.kind} data-colour={colourOf(thing)}>
          <Shape thing={thing} notebook={notebook} find={(id) => byId.get(id)} />
        </g>
      ))}
    </svg>
  );
}

const colourOf = (thing: Thing) => (thing.kind === 'cell' ? undefined : thing.colour);

interface ShapeProps {
  thing: Thing;
  notebook: Drawn;
  find(id: string): Thing | undefined;
}

function Shape({ thing, notebook, find }: ShapeProps) {
  const { x, y, w, h } = thing;
  if (thing.kind === 'arrow') {
    const [start, end] = arrowEnds(thing, find);
    return <line x1={start.x} y1={start.y} x2={end.x} y2={end.y} />;
  }
  if (thing.kind === 'drawing') return <path d={drawnPath(thing)} />;
  const middle = { cx: x + w / 2, cy: y + h / 2 };
  const outline =
    thing.kind === 'shape' && thing.shape === 'ellipse' ? (
      <ellipse {...middle} rx={w / 2} ry={h / 2} />
    ) : thing.kind === 'shape' && thing.shape === 'diamond' ? (
      <polygon points={`${middle.cx},${y} ${x + w},${middle.cy} ${middle.cx},${y + h} ${x},${middle.cy}`} />
    ) : (
      <rect x={x} y={y} width={w} height={h} rx={8} />
    );
  const picture = thing.kind === 'cell' ? pictureIn(notebook, thing.id) : null;
  return (
    <>
      {outline}
      {picture ? (
        <image href={picture} x={x + 8} y={y + 8} width={Math.max(0, w - 16)} height={Math.max(0, h - 16)} />
      ) : (
        <foreignObject x={x} y={y} width={w} height={h}>
          <div className={classes.words}>{thing.kind === 'cell' ? wordsIn(notebook, thing.id) : thing.text}</div>
        </foreignObject>
      )}
    </>
  );
}

function drawnPath({ points, extent, x, y, w, h }: PlacedItem): string {
  const at = (index: number) => ({
    x: x + ((points[index] ?? 0) / extent.w) * w,
    y: y + ((points[index + 1] ?? 0) / extent.h) * h,
  });
  return smoothPath(Array.from({ length: points.length / 2 }, (_, index) => at(2 * index)));
}

function pictureIn({ cells }: Drawn, id: string): string | null {
  for (const output of cells.find((cell) => cell.id === id)?.outputs ?? []) {
    const png = 'data' in output ? output.data['image/png'] : null;
    if (typeof png === 'string') return `data:image/png;base64,${png}`;
  }
  return null;
}

const wordsIn = ({ cells }: Drawn, id: string): string =>
  cells.find((cell) => cell.id === id)?.source.slice(0, 400) ?? '';

/** An earlier dashboard: its tiles by name. */
export function DashboardPicture({ notebook, label, marks }: PictureProps) {
  const tiles = tilesOf(notebook.cells, notebook.items);
  if (tiles.length === 0) return <p className={classes.none}>Nothing on the dashboard.</p>;
  const rows = Math.max(...tiles.map(({ y, h }) => y + h));
  const texts = new Map(thingsOn(notebook).flatMap((thing) => (thing.kind === 'cell' ? [] : [[thing.id, thing.text]])));
  return (
    <svg className={classes.picture} viewBox={`0 0 1200 ${rows * 60}`} role="img" aria-label={label}>
      {tiles.map(({ id, x, y, w, h }) => (
        <g key={id} data-mark={marks?.get(id)} data-kind="cell">
          <rect x={x * 100 + 6} y={y * 60 + 6} width={w * 100 - 12} height={h * 60 - 12} rx={8} />
          <foreignObject x={x * 100 + 6} y={y * 60 + 6} width={w * 100 - 12} height={h * 60 - 12}>
            <div className={classes.words}>{texts.get(id) ?? wordsIn(notebook, id)}</div>
          </foreignObject>
        </g>
      ))}
    </svg>
  );
}
