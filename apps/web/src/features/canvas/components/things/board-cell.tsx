import type { CellOutput } from '@atoll/contract';
import { type PlacedCell, runs } from '@atoll/notebook';
import { Loader, Tooltip, UnstyledButton } from '@mantine/core';
import {
  IconAdjustmentsHorizontal,
  IconChartLine,
  IconCode,
  IconDatabase,
  IconFileText,
  IconLetterT,
  IconPlayerPlayFilled,
  IconPlayerStopFilled,
} from '@tabler/icons-react';
import { memo, useState } from 'react';
import { typeWords, Written } from '../../../notebook/cells/cell.tsx';
import { CellMeta } from '../../../notebook/cells/cell-meta.tsx';
import { CellOutputs } from '../../../notebook/cells/cell-outputs.tsx';
import { CommentMark } from '../../../notebook/cells/comment-marks.tsx';
import { Faces } from '../../../notebook/cells/faces.tsx';
import { TextCell } from '../../../notebook/cells/text-cell.tsx';
import { InputCell } from '../../../notebook/inputs/input-cell.tsx';
import { isEnded } from '../../../notebook/model.ts';
import {
  useCell,
  useCellFrame,
  useCellState,
  useNotebook,
  useNotebookMode,
  useQueued,
  useShown,
} from '../../../notebook/notebook-context.tsx';
import { Question } from '../../../notebook/page/question.tsx';
import { run } from '../../actions.ts';
import { useBoard } from '../board-context.tsx';
import classes from './cell.module.css';
import commentsClasses from './comments.module.css';

const icons = {
  code: IconCode,
  markdown: IconLetterT,
  raw: IconFileText,
  sql: IconDatabase,
  input: IconAdjustmentsHorizontal,
};

/** Charts are slow to draw: on a board with more things they are text from afar. */
const mostDrawnFromAfar = 60;

const isChart = (output: CellOutput): boolean =>
  'data' in output && Object.keys(output.data).some((type) => /^application\/vnd\.(plotly|vega)/.test(type));

interface BoardCellProps {
  id: string;
  place: PlacedCell;
  isLow: boolean;
}

/** A cell of the notebook on the board: the same parts as in the list, in a box of its own. */
export const BoardCell = memo(function BoardCell({ id, place, isLow: isFar }: BoardCellProps) {
  const board = useBoard();
  const cell = useCellFrame(id);
  const mode = useNotebookMode();
  const { isEditing } = useCellState(id);
  const { outputs, outputs_total } = useShown(id);
  const hasShown = outputs_total > 0;
  // A chart has no picture that could stand for it.
  const isLow = isFar && !(outputs.some(isChart) && board.getIds().length <= mostDrawnFromAfar);
  // A picture is enough from afar: editors, tables and frames are created when the view first comes near.
  const [isDrawn, setDrawn] = useState(!isLow);
  if (!isLow && !isDrawn) setDrawn(true);
  if (!cell) return null;
  const { show } = place;
  const number = board.store.indexOf(id) + 1;
  const label = `Cell ${number}, ${typeWords[cell.type]}`;
  const isText = cell.type === 'markdown';
  // A cell without outputs yet shows its code.
  const withSource = isText || cell.type === 'input' || show !== 'output' || !hasShown || isEditing;
  const withOutputs = !isText && show !== 'code';
  return (
    <article
      className={classes.cell}
      aria-label={label}
      data-cell={id}
      data-type={cell.type}
      data-mode={isEditing ? 'edit' : undefined}
      data-plain={(place.isPlain && !isEditing) || undefined}
      data-low={isLow || undefined}
      data-show={show}
    >
      <CellHead id={id} type={cell.type} />
      <div className={classes.cellBody}>
        {isDrawn &&
          withSource &&
          (isText ? (
            <TextCell id={id} label={label} isReadOnly={mode !== 'edit'} />
          ) : cell.type === 'input' ? (
            <InputCell id={id} cell={cell} mode={mode} />
          ) : (
            <Written id={id} label={label} />
          ))}
        <Question id={id} />
        {isDrawn && withOutputs && <CellOutputs id={id} isFolded={false} />}
        {runs(cell.type) && show !== 'output' && <CellMeta id={id} isQuiet={cell.type === 'input'} />}
      </div>
      {isLow && <StandIn id={id} />}
      <CommentMark id={id} number={number} className={commentsClasses.comments} />
    </article>
  );
});

function CellHead({ id, type }: { id: string; type: keyof typeof icons }) {
  const Icon = icons[type];
  return (
    <header className={classes.cellHead} data-grip>
      <Icon size={13} stroke={1.8} aria-hidden />
      <span className={classes.cellName}>
        <CellName id={id} />
      </span>
      <Faces id={id} />
      {runs(type) && <RunCell id={id} />}
    </header>
  );
}

/** The topic of a cell, in one line. */
function CellName({ id }: { id: string }) {
  const cell = useCell(id);
  const { execution_count: count } = useShown(id);
  if (!cell) return null;
  return (
    <>
      {typeWords[cell.type]}
      {count !== null && <span className={classes.count}> [{count}]</span>}
    </>
  );
}

function RunCell({ id }: { id: string }) {
  const board = useBoard();
  const { store } = useNotebook();
  const mode = useNotebookMode();
  const { execution } = useShown(id);
  const { entry: queued, place, isAsked } = useQueued(id);
  const isOver = execution !== null && isEnded(execution) && execution.id === queued?.id;
  const entry = isOver ? null : queued;
  const isRunning = entry?.state === 'running';
  if (mode === 'view') return null;
  const label = isRunning ? 'Interrupt cell' : entry ? `Queued, position ${place + 1}. Cancel` : 'Run cell';
  return (
    <Tooltip label={isRunning ? 'Interrupt' : entry ? label : 'Run cell (Shift Enter)'} openDelay={500}>
      <UnstyledButton
        className={classes.run}
        data-state={execution?.state}
        data-busy={entry || isAsked ? true : undefined}
        aria-label={label}
        onClick={() => {
          if (isRunning) void store.interruptOne(entry.id);
          else if (entry) void store.cancel([entry.id]);
          else run(board, [id]);
        }}
      >
        {isRunning ? (
          <span className={classes.spinner}>
            <Loader size={16} color="currentColor" />
            <IconPlayerStopFilled size={7} />
          </span>
        ) : entry ? (
          place + 1
        ) : isAsked && !isOver ? (
          <Loader size={12} color="currentColor" />
        ) : (
          <IconPlayerPlayFilled size={12} />
        )}
      </UnstyledButton>
    </Tooltip>
  );
}

/** The form of a cell from afar: its type, and its picture if it has one. */
export function StandIn({ id }: { id: string }) {
  const cell = useCell(id);
  const { outputs } = useShown(id);
  if (!cell) return null;
  const picture = outputs.map(pictureIn).find((found) => found !== null);
  const words = outputs.some(isChart) ? null : outputs.map(wordsIn).find((found) => found !== '');
  const line = cell.source.split('\n').find((each) => each.trim() !== '') ?? '';
  return (
    <div className={classes.standIn} data-words={(!picture && words && true) || undefined} aria-hidden>
      {picture ? (
        <img className={classes.picture} src={picture} alt="" />
      ) : outputs.some(isChart) ? (
        <IconChartLine size={96} stroke={1.2} />
      ) : words ? (
        <pre>{words}</pre>
      ) : (
        <span>{line.replace(/^#+\s*/, '') || typeWords[cell.type]}</span>
      )}
    </div>
  );
}

function pictureIn(output: CellOutput): string | null {
  if (!('data' in output)) return null;
  const { 'image/png': png, 'image/svg+xml': svg } = output.data;
  if (typeof png === 'string') return `data:image/png;base64,${png}`;
  return typeof svg === 'string' ? `data:image/svg+xml,${encodeURIComponent(svg)}` : null;
}

/** The beginning of its text. */
function wordsIn(output: CellOutput): string {
  const text = 'data' in output ? output.data['text/plain'] : 'text' in output ? output.text : '';
  return typeof text === 'string' ? text.slice(0, 1_000) : '';
}
