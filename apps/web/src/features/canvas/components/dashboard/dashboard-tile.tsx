import { itemOf } from '@atoll/notebook';
import { IconX } from '@tabler/icons-react';
import { type CSSProperties, type KeyboardEvent, type PointerEvent, type RefObject, useRef } from 'react';
import { IconButton } from '../../../../ui/buttons/icon-button.tsx';
import { CellOutputs } from '../../../notebook/cells/cell-outputs.tsx';
import { TextCell } from '../../../notebook/cells/text-cell.tsx';
import { InputCell } from '../../../notebook/inputs/input-cell.tsx';
import {
  useCellFrame,
  useNotebook,
  useNotebookMode,
  useQueued,
  useShown,
  useSignal,
} from '../../../notebook/notebook-context.tsx';
import { type Dashboard, lineOf } from '../../dashboard.ts';
import { ItemView } from '../things/item-view.tsx';
import classes from './dashboard.module.css';

/** The height of a row and the gap between two, as in the style sheet. */
const [rowHeight, gap] = [48, 12];

interface DashboardTileProps {
  id: string;
  dashboard: Dashboard;
  grid: RefObject<HTMLDivElement | null>;
  isEditing: boolean;
}

export function DashboardTile({ id, dashboard, grid, isEditing }: DashboardTileProps) {
  const { store } = useNotebook();
  const tile = useSignal(dashboard, 'places', () => dashboard.placeOf(id));
  const start = useRef<{ x: number; y: number; isResizing: boolean; tile: NonNullable<typeof tile> } | null>(null);
  const element = useRef<HTMLDivElement>(null);
  if (!tile) return null;
  const at = ({ clientX, clientY }: PointerEvent) => {
    const { left = 0, top = 0, width = 1 } = grid.current?.getBoundingClientRect() ?? {};
    return { x: (clientX - left) / ((width + gap) / 12), y: (clientY - top) / (rowHeight + gap) };
  };
  const press = (isResizing: boolean) => (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    event.stopPropagation();
    element.current?.focus({ preventScroll: true });
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = { ...at(event), isResizing, tile };
  };
  const moved = (event: PointerEvent) => {
    const from = start.current;
    if (!from) return null;
    const { x, y } = at(event);
    const [dx, dy] = [Math.round(x - from.x), Math.round(y - from.y)];
    return from.isResizing
      ? { ...from.tile, w: Math.min(12 - from.tile.x, Math.max(1, from.tile.w + dx)), h: Math.max(1, from.tile.h + dy) }
      : { ...from.tile, x: from.tile.x + dx, y: from.tile.y + dy };
  };
  const drag = {
    onPointerMove: (event: PointerEvent) => {
      const next = moved(event);
      if (!next) return;
      dashboard.show(next);
      element.current?.scrollIntoView({ block: 'nearest' });
    },
    onPointerUp: (event: PointerEvent) => {
      const next = moved(event);
      start.current = null;
      if (next) dashboard.drop(next);
    },
    onPointerCancel: () => {
      start.current = null;
      dashboard.show(null);
    },
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [
      0, 0,
    ];
    const isRemoving = event.key === 'Delete' || event.key === 'Backspace';
    if (event.target !== element.current || (!dx && !dy && !isRemoving)) return;
    event.preventDefault();
    if (isRemoving) dashboard.remove(id);
    else if (event.altKey) dashboard.drop({ ...tile, w: tile.w + (dx ?? 0), h: tile.h + (dy ?? 0) });
    // The step is large enough to pass the tile in the way.
    else dashboard.drop({ ...tile, x: tile.x + (dx ?? 0), y: tile.y + (dy ?? 0) * stepOver(dashboard, tile, dy ?? 0) });
  };
  const name = lineOf(store, id) || 'Tile';
  const place = { '--column': tile.x + 1, '--w': tile.w, '--row': tile.y + 1, '--h': tile.h } as CSSProperties;
  return (
    <div
      ref={element}
      className={classes.tile}
      data-tile={id}
      data-item={store.getCell(id) ? undefined : true}
      style={place}
      {...(isEditing && { role: 'group', 'aria-label': name, 'aria-description': keysWords, tabIndex: 0, onKeyDown })}
    >
      <section className={classes.content} aria-label={name} tabIndex={isEditing ? undefined : 0} inert={isEditing}>
        <Content id={id} />
      </section>
      {isEditing && (
        <>
          <div className={classes.cover} onPointerDown={press(false)} {...drag} />
          <IconButton
            label={`Remove ${name} from the dashboard`}
            tip="Remove from dashboard"
            className={classes.remove}
            size={24}
            variant="default"
            onClick={() => dashboard.remove(id)}
          >
            <IconX size={14} stroke={1.8} />
          </IconButton>
          <div className={classes.corner} data-resize onPointerDown={press(true)} {...drag} />
        </>
      )}
    </div>
  );
}

const keysWords = 'Arrow keys move it, Alt and arrow keys resize it, Delete removes it';

function stepOver(dashboard: Dashboard, tile: { id: string; x: number; y: number; w: number; h: number }, dy: number) {
  const beside = dashboard
    .getTiles()
    .filter((other) => other.id !== tile.id && other.x < tile.x + tile.w && tile.x < other.x + other.w);
  const next =
    dy > 0
      ? beside.find((other) => other.y >= tile.y + tile.h)
      : beside.findLast((other) => other.y + other.h <= tile.y);
  return next?.h ?? 1;
}

function Content({ id }: { id: string }) {
  const { store } = useNotebook();
  const cell = useCellFrame(id);
  const mode = useNotebookMode();
  const item = useSignal(store, 'document', () => store.getItems().get(id));
  if (!cell) {
    const drawn = item && itemOf(item);
    return drawn ? <ItemView item={drawn} /> : null;
  }
  if (cell.type === 'markdown') return <TextCell id={id} label="Text" isReadOnly />;
  // Settings are for the notebook.
  if (cell.type === 'input') return <InputCell id={id} cell={cell} mode={mode === 'edit' ? 'input' : mode} />;
  return <Shown id={id} />;
}

function Shown({ id }: { id: string }) {
  const { outputs_total, execution } = useShown(id);
  const { entry, isAsked } = useQueued(id);
  return (
    <>
      {(entry || isAsked) && <div className={classes.running} role="progressbar" aria-label="Running" />}
      {outputs_total > 0 ? (
        <CellOutputs id={id} isFolded={false} />
      ) : (
        <p className={classes.quiet}>
          {entry || isAsked ? 'Running' : execution ? 'No output.' : 'No output yet. Run the cell to see it here.'}
        </p>
      )}
    </>
  );
}
