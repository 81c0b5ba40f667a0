import { Button, UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { memo, useState } from 'react';
import { formatSize } from '../../files/model.ts';
import { Outputs } from '../../outputs/components/outputs.tsx';
import { toggleCollapsed } from '../actions.ts';
import classes from './notebook.module.css';
import { useNotebook, useShown } from './notebook-context.tsx';

/** What a cell shows. */
export const CellOutputs = memo(function CellOutputs({ id, isFolded }: { id: string; isFolded: boolean }) {
  const { store, ui } = useNotebook();
  const { outputs, outputs_total, outputs_bytes } = useShown(id);
  const [isLoading, setLoading] = useState(false);
  if (outputs_total === 0 && outputs.length === 0) return null;
  if (isFolded) {
    return (
      <UnstyledButton
        className={classes.folded}
        onClick={() => toggleCollapsed({ store, ui }, 'outputs', [id], false)}
        aria-label="Show the output"
      >
        <IconChevronRight size={14} aria-hidden />
        <span>Output, folded</span>
      </UnstyledButton>
    );
  }
  const missing = outputs_total - outputs.length;
  return (
    <div>
      <Outputs outputs={outputs} />
      {missing > 0 && (
        <div className={classes.meta}>
          <Button
            size="compact-xs"
            variant="default"
            loading={isLoading}
            onClick={async () => {
              setLoading(true);
              await store.loadMore(id);
              setLoading(false);
            }}
          >
            Load more
          </Button>
          <span>There is more of it: {formatSize(outputs_bytes)} in all. Nothing is lost.</span>
        </div>
      )}
    </div>
  );
});
