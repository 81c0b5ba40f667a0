import { arrowEnds, type Box, boundsOf, type PlacedItem } from '@atoll/notebook';
import { useEffect, useReducer } from 'react';
import { useNotebookMode, useSignal } from '../../../notebook/notebook-context.tsx';
import { type Handle, smoothPath } from '../../geometry.ts';
import { useBoard } from '../board-context.tsx';
import arrowsClasses from '../things/arrows.module.css';
import { endsOf, headOf, lineOf } from '../things/arrows.tsx';
import itemsClasses from '../things/items.module.css';
import classes from './overlay.module.css';

const handles: Handle[] = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w'];
const sides = ['top', 'right', 'bottom', 'left'] as const;

/** Draws selection and drag feedback; its lines are equally thin at every zoom. */
export function Overlay() {
  const board = useBoard();
  const mode = useNotebookMode();
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const stops = ['selection', 'selection-box', 'guides', 'marquee'].map((key) => board.subscribe(key, redraw));
    return () => {
      for (const stop of stops) stop();
    };
  }, [board]);
  const things = board.selected();
  const boxes = board.boxesOf(things.map(({ id }) => id));
  const all = boundsOf(boxes);
  const [only] = things.length === 1 ? things : [];
  const isEditing = board.getEditing() !== null;
  const mayMove = mode === 'edit' && !isEditing && things.some(({ isLocked }) => !isLocked);
  const marquee = board.getMarquee();
  return (
    <>
      {things.length > 1 &&
        boxes.map(({ id, ...box }) => <div key={id} className={classes.outline} style={styleOf(box)} />)}
      {all && only?.kind !== 'arrow' && (
        <div className={classes.selection} style={styleOf(all)} data-locked={!mayMove || undefined}>
          {mayMove && handles.map((handle) => <span key={handle} className={classes.handle} data-handle={handle} />)}
          {mayMove &&
            only &&
            only.kind !== 'frame' &&
            sides.map((side) => (
              <span key={side} className={classes.connect} data-connect={only.id} data-side={side} />
            ))}
        </div>
      )}
      {only?.kind === 'arrow' && mayMove && <ArrowHandles arrow={only as PlacedItem} />}
      {marquee && <div className={classes.marquee} style={styleOf(marquee)} />}
      {board.getGuides().map(({ axis, at, from, to }) => (
        <div
          key={`${axis}${at}`}
          className={classes.guide}
          data-axis={axis}
          style={
            axis === 'x'
              ? { transform: `translate(${at}px, ${from}px)`, height: to - from }
              : { transform: `translate(${from}px, ${at}px)`, width: to - from }
          }
        />
      ))}
      <Lines />
    </>
  );
}

const styleOf = ({ x, y, w, h }: Box) => ({ transform: `translate(${x}px, ${y}px)`, width: w, height: h });

function ArrowHandles({ arrow }: { arrow: PlacedItem }) {
  const board = useBoard();
  const ends = endsOf(board, arrow);
  return (['from', 'to'] as const).map((which, index) => (
    <span
      key={which}
      className={classes.arrowEnd}
      data-arrow-end={which}
      style={{ transform: `translate(${ends[index]?.x}px, ${ends[index]?.y}px)` }}
    />
  ));
}

/** An arrow or a line that is being drawn. */
function Lines() {
  const board = useBoard();
  const wire = useSignal(board, 'wire', board.getWire);
  const stroke = useSignal(board, 'stroke', board.getStroke);
  const ink = useSignal(board, 'tool', board.getInk);
  if (!wire && !stroke) return null;
  const ends = wire && arrowEnds({ ...wire } as PlacedItem, board.boxOf);
  const target = wire?.to.on ? board.boxOf(wire.to.on) : undefined;
  return (
    <>
      {target && <div className={classes.outline} style={styleOf(target)} />}
      <svg className={arrowsClasses.arrows}>
        <title>Being drawn</title>
        {ends && (
          <g className={arrowsClasses.arrow} data-colour="blue">
            <path className={arrowsClasses.arrowLine} d={lineOf(...ends)} />
            <path className={arrowsClasses.arrowHead} d={headOf(...ends)} />
          </g>
        )}
        {stroke && <path className={itemsClasses.stroke} data-colour={ink} d={smoothPath(stroke)} />}
      </svg>
    </>
  );
}
