import type { ProjectFile } from '@atoll/contract/files/entity';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useMemo, useState } from 'react';
import { messageOf } from '../../../platform/api-error.ts';
import { Compare, TextSkeleton } from '../../files/lazy-editor.tsx';
import { fileNameOf } from '../model.ts';
import { notebookVersionQuery } from '../queries.ts';
import { type ComparedCell, compareNotebooks } from './compare.ts';
import classes from './notebook-compare.module.css';

interface NotebookCompareProps {
  file: ProjectFile;
  leftId: string;
  rightId: string;
}

const words = { same: 'Unchanged', changed: 'Changed', added: 'Added', removed: 'Removed' };

/** Two versions of a notebook, cell by cell; what is the same is folded. */
export function NotebookCompare({ file, leftId, rightId }: NotebookCompareProps) {
  const left = useQuery(notebookVersionQuery(file.project_id, file.id, leftId));
  const right = useQuery(notebookVersionQuery(file.project_id, file.id, rightId));
  const [isAll, setAll] = useState(false);
  const rows = useMemo(
    () => (left.data && right.data ? compareNotebooks(left.data.cells, right.data.cells) : null),
    [left.data, right.data],
  );
  const error = left.error ?? right.error;
  if (error) return <p role="alert">{messageOf(error)}</p>;
  if (!rows) return <TextSkeleton />;
  const isQuiet = (row: ComparedCell) => row.state === 'same' && !row.isMoved && !row.hasOtherOutputs;
  const quiet = rows.filter(isQuiet).length;
  const language = right.data?.language ?? 'python';
  return (
    <div className={classes.rows}>
      <p className={classes.summary}>
        {rows.length === quiet ? 'No differences.' : `${rows.length - quiet} of ${rows.length} cells differ.`}
        {quiet > 0 && (
          <Button size="compact-xs" variant="subtle" onClick={() => setAll(!isAll)}>
            {isAll ? 'Hide unchanged cells' : `Show ${quiet} unchanged cells`}
          </Button>
        )}
      </p>
      {rows
        .filter((row) => isAll || !isQuiet(row))
        .map((row) => (
          <section key={row.id} className={classes.row} data-state={row.state}>
            <h3>
              {words[row.state]}
              {row.isMoved && ', moved'}
              {row.hasOtherOutputs && ', output differs'}
            </h3>
            {row.state === 'changed' ? (
              <Suspense fallback={<TextSkeleton />}>
                <Compare
                  name={fileNameOf(row.right?.type ?? 'code', language)}
                  left={row.left?.source ?? ''}
                  right={row.right?.source ?? ''}
                  leftLabel="Before"
                  rightLabel="After"
                />
              </Suspense>
            ) : (
              <pre>{(row.right ?? row.left)?.source || ' '}</pre>
            )}
          </section>
        ))}
    </div>
  );
}
