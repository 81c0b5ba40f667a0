import type { Notebook } from '@atoll/contract';
import type { ProjectFile } from '@atoll/contract/files/entity';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, Suspense, useMemo, useState } from 'react';
import { messageOf } from '../../../platform/api-error.ts';
import { Compare, TextSkeleton } from '../../files/lazy-editor.tsx';
import { fileNameOf } from '../model.ts';
import { notebookVersionQuery } from '../queries.ts';
import { BoardPicture, DashboardPicture } from './board-picture.tsx';
import { type ComparedCell, compareNotebooks } from './compare.ts';
import { compareBoards } from './compare-boards.ts';
import classes from './notebook-compare.module.css';

interface NotebookCompareProps {
  file: ProjectFile;
  leftId: string;
  rightId: string;
}

const words = { same: 'Unchanged', changed: 'Changed', added: 'Added', removed: 'Removed' };

/** Two versions of a notebook, cell by cell, with canvas and dashboard; equal cells are collapsed. */
export function NotebookCompare({ file, leftId, rightId }: NotebookCompareProps) {
  const left = useQuery(notebookVersionQuery(file.project_id, file.id, leftId));
  const right = useQuery(notebookVersionQuery(file.project_id, file.id, rightId));
  const [isAll, setAll] = useState(false);
  const compared = useMemo(
    () =>
      left.data && right.data
        ? {
            sides: { left: left.data, right: right.data },
            rows: compareNotebooks(left.data.cells, right.data.cells),
            boards: compareBoards(left.data, right.data),
          }
        : null,
    [left.data, right.data],
  );
  const error = left.error ?? right.error;
  if (error) return <p role="alert">{messageOf(error)}</p>;
  if (!compared) return <TextSkeleton />;
  const { rows, boards, sides } = compared;
  const isQuiet = (row: ComparedCell) => row.state === 'same' && !row.isMoved && !row.hasOtherOutputs;
  const quiet = rows.filter(isQuiet).length;
  const isSame = rows.length === quiet && boards.canvas.size === 0 && boards.dashboard.size === 0;
  const language = right.data?.language ?? 'python';
  return (
    <div className={classes.rows}>
      <p className={classes.summary}>
        {isSame ? 'No differences.' : `${rows.length - quiet} of ${rows.length} cells differ.`}
        {quiet > 0 && (
          <Button size="compact-xs" variant="subtle" onClick={() => setAll(!isAll)}>
            {isAll ? 'Hide unchanged cells' : `Show ${quiet} unchanged cells`}
          </Button>
        )}
      </p>
      {boards.canvas.size > 0 && <Boards title="Canvas" marks={boards.canvas} {...sides} picture={BoardPicture} />}
      {boards.dashboard.size > 0 && (
        <Boards title="Dashboard" marks={boards.dashboard} {...sides} picture={DashboardPicture} />
      )}
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

interface BoardsProps {
  title: string;
  marks: ReadonlyMap<string, string>;
  left: Notebook;
  right: Notebook;
  picture: ComponentType<{ notebook: Notebook; label: string; marks: ReadonlyMap<string, string> }>;
}

/** Frames the differences: red is deleted, green is new. */
function Boards({ title, marks, left, right, picture: Picture }: BoardsProps) {
  return (
    <section className={classes.row} data-state="changed" aria-label={title}>
      <h3>
        {title}: {marks.size} {marks.size === 1 ? 'object differs' : 'objects differ'}
      </h3>
      <div className={classes.boards}>
        <figure>
          <figcaption>Before</figcaption>
          <Picture notebook={left} label={`${title} before`} marks={marks} />
        </figure>
        <figure>
          <figcaption>After</figcaption>
          <Picture notebook={right} label={`${title} after`} marks={marks} />
        </figure>
      </div>
    </section>
  );
}
