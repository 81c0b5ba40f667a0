import type { BinnedCell } from '@atoll/contract';
import { personName } from '@atoll/contract/users/names';
import { Button, Skeleton } from '@mantine/core';
import { useEffect, useState } from 'react';
import { When } from '../../../ui/when.tsx';
import { useNotebook, useOrder } from '../notebook-context.tsx';
import { PanelHead } from '../panel-head.tsx';
import { refusalWords } from '../refusal.ts';
import classes from './side-panels.module.css';

/** Cells that were deleted; each can come back to where it was. */
export function BinPanel() {
  const { store, ui } = useNotebook();
  const order = useOrder();
  const [cells, setCells] = useState<BinnedCell[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is deleted or restored changes the bin.
  useEffect(() => {
    const timer = setTimeout(() => {
      store.loadBin().then(setCells, (error: unknown) => setProblem(refusalWords(error)));
    }, 150);
    return () => clearTimeout(timer);
  }, [store, order]);
  const restore = (id: string) => {
    if (!store.edit([{ op: 'restore_cell', cell_id: id }])) return;
    ui.focus(id);
    ui.reveal(id, 'center');
  };
  return (
    <>
      <PanelHead id="bin" title="Deleted cells" />
      {problem && (
        <p className={classes.empty} role="alert">
          {problem}
        </p>
      )}
      {!cells && !problem && (
        <div className={classes.list}>
          <Skeleton height={60} />
        </div>
      )}
      {cells?.length === 0 && <p className={classes.empty}>No deleted cells.</p>}
      <ol className={classes.list}>
        {cells?.map((cell) => (
          <li key={cell.id} className={classes.binned}>
            {cell.deleted_by ? personName(cell.deleted_by) : 'Deleted user'}, <When time={cell.deleted_at} />
            <pre>{cell.source || 'Empty'}</pre>
            <Button size="compact-xs" variant="default" onClick={() => restore(cell.id)}>
              Restore
            </Button>
          </li>
        ))}
      </ol>
    </>
  );
}
