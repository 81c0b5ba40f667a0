import { Button, UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { memo, useEffect, useRef, useState } from 'react';
import { formatSize } from '../../files/model.ts';
import { lastExpression } from '../../outputs/chart-choice.ts';
import { type ChartPlace, ChartPlaceContext } from '../../outputs/chart-place.ts';
import { Outputs } from '../../outputs/outputs.tsx';
import { insertAfter, run as runCells, toggleCollapsed } from '../actions.ts';
import { fieldsOf, isPictureMissing, newCell } from '../model.ts';
import { useNotebook, useNotebookMode, useShown } from '../notebook-context.tsx';
import classes from './cell.module.css';

/** So many times the next megabyte of outputs is loaded without a press. */
const mostByItself = 8;

export const CellOutputs = memo(function CellOutputs({ id, isFolded }: { id: string; isFolded: boolean }) {
  const { store, ui } = useNotebook();
  const mode = useNotebookMode();
  const shown = useShown(id);
  const { outputs, outputs_total, outputs_bytes } = shown;
  const [isLoading, setLoading] = useState(false);
  const load = async () => {
    setLoading(true);
    await store.loadMore(id);
    setLoading(false);
  };
  const turns = useRef({ of: '', left: mostByItself });
  const isWanted = !isFolded && !isLoading && isPictureMissing(shown);
  const run = shown.execution?.id ?? '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time there is less missing, until there is none.
  useEffect(() => {
    if (turns.current.of !== run) turns.current = { of: run, left: mostByItself };
    if (!isWanted || turns.current.left === 0) return;
    turns.current.left -= 1;
    void load();
  }, [isWanted, run, outputs.length]);
  if (outputs_total === 0 && outputs.length === 0) return null;
  if (isFolded) {
    return (
      <UnstyledButton
        className={classes.folded}
        onClick={() => toggleCollapsed({ store, ui }, 'outputs', [id], false)}
        aria-label="Show output"
      >
        <IconChevronRight size={14} aria-hidden />
        <span>Output hidden</span>
      </UnstyledButton>
    );
  }
  const cell = store.getCell(id);
  const { variable } = fieldsOf(cell?.metadata.atoll);
  const chartPlace: ChartPlace = {
    frame: cell?.type === 'sql' ? String(variable ?? 'result') : lastExpression(cell?.source ?? ''),
    ...(mode === 'edit' && {
      insert: {
        label: 'Insert as code',
        run: (code: string) => {
          const chart = newCell('code', { source: code });
          insertAfter({ store, ui }, id, [chart]);
          runCells({ store, ui }, [chart.id]);
        },
      },
    }),
  };
  const missing = outputs_total - outputs.length;
  return (
    <div>
      <ChartPlaceContext value={chartPlace}>
        <Outputs outputs={outputs} />
      </ChartPlaceContext>
      {missing > 0 && (
        <div className={classes.meta}>
          <Button size="compact-xs" variant="default" loading={isLoading} onClick={() => void load()}>
            Load more
          </Button>
          <span>Output is truncated: {formatSize(outputs_bytes)} in total. All of it is stored.</span>
        </div>
      )}
    </div>
  );
});
