import { Button } from '@mantine/core';
import { useRef } from 'react';
import { typeWords } from '../../../notebook/cells/cell.tsx';
import { useNotebook, useNotebookMode, useSignal } from '../../../notebook/notebook-context.tsx';
import { type Dashboard, lineOf } from '../../dashboard.ts';
import classes from './dashboard.module.css';
import { DashboardBar } from './dashboard-bar.tsx';
import { DashboardTile } from './dashboard-tile.tsx';

/** The grid and the bar above it; editors arrange it here, all others only view it. */
export function DashboardPage({ dashboard }: { dashboard: Dashboard }) {
  const page = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLDivElement>(null);
  const mode = useNotebookMode();
  const tiles = useSignal(dashboard, 'tiles', dashboard.getTiles);
  const isEditing = useSignal(dashboard, 'editing', dashboard.getEditing) && mode === 'edit';
  return (
    <div ref={page} className={classes.page} data-dashboard data-editing={isEditing || undefined}>
      <DashboardBar dashboard={dashboard} page={page} isEditing={isEditing} />
      <div className={classes.body}>
        <section className={classes.scroll} aria-label="Dashboard">
          {tiles.length === 0 && !isEditing ? (
            <Empty dashboard={dashboard} />
          ) : (
            <div ref={grid} className={classes.grid}>
              {tiles.map(({ id }) => (
                <DashboardTile key={id} id={id} dashboard={dashboard} grid={grid} isEditing={isEditing} />
              ))}
              {tiles.length === 0 && <p className={classes.hint}>Add items from the list. They appear here.</p>}
            </div>
          )}
        </section>
        {isEditing && <Others dashboard={dashboard} />}
      </div>
    </div>
  );
}

function Empty({ dashboard }: { dashboard: Dashboard }) {
  const mode = useNotebookMode();
  return (
    <div className={classes.empty}>
      <h2>No dashboard yet</h2>
      <p>
        {mode === 'edit'
          ? 'Choose cells and notes, arrange them on a grid, and share the page. Viewers see only the grid.'
          : 'People who can edit this file have not arranged one.'}
      </p>
      {mode === 'edit' && <Button onClick={() => dashboard.setEditing(true)}>Create dashboard</Button>}
    </div>
  );
}

/** Cells and items that are not on the dashboard. */
function Others({ dashboard }: { dashboard: Dashboard }) {
  const { store } = useNotebook();
  const others = useSignal(dashboard, 'tiles', dashboard.getOthers);
  return (
    <aside className={classes.others} aria-label="Items not on the dashboard">
      <div className={classes.othersHead}>
        <h3>Not on the dashboard</h3>
        {others.length > 1 && (
          <Button size="compact-xs" variant="subtle" onClick={() => dashboard.add(others)}>
            Add all
          </Button>
        )}
      </div>
      {others.length === 0 && <p className={classes.quiet}>Everything is on the dashboard.</p>}
      <ul>
        {others.slice(0, 200).map((id) => {
          const cell = store.getCell(id);
          const words = lineOf(store, id);
          const type = cell ? typeWords[cell.type] : 'Note';
          return (
            <li key={id}>
              <button type="button" aria-label={`Add ${type}: ${words}`} onClick={() => dashboard.add([id])}>
                <span>{type}</span>
                <span className={classes.line}>{words}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </aside>
  );
}
