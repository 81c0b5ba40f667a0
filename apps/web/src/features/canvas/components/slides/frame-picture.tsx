import type { PlacedItem } from '@atoll/notebook';
import { useEffect, useRef, useState } from 'react';
import { exportedBlob } from '../../../notebook/export.ts';
import { useNotebook } from '../../../notebook/notebook-context.tsx';
import { overlaps } from '../../geometry.ts';
import boardClasses from '../board/board.module.css';
import { useBoard } from '../board-context.tsx';
import { StandIn } from '../things/board-cell.tsx';
import classes from '../things/cell.module.css';
import { ItemView } from '../things/item-view.tsx';
import styles from './frame-picture.module.css';

interface FramePictureProps {
  frame: PlacedItem;
  size: { w: number; h: number };
  /** The address of the picture, once the server has drawn it. */
  drawn?: string | undefined;
}

/** The contents of a frame, small; until the server has drawn it, cells are shown in their form from afar. */
export function FramePicture({ frame, size, drawn }: FramePictureProps) {
  const board = useBoard();
  const scale = Math.min(size.w / frame.w, size.h / frame.h);
  const [width, height] = [frame.w * scale, frame.h * scale];
  if (drawn) return <img className={styles.picture} src={drawn} alt="" style={{ width, height }} />;
  const inside = board
    .all()
    .filter((thing) => thing.kind !== 'frame' && thing.kind !== 'arrow' && overlaps(frame, thing))
    .sort((one, other) => board.rankOf(one.id) - board.rankOf(other.id));
  return (
    <div className={`${boardClasses.stage} ${styles.picture}`} style={{ width, height }} aria-hidden>
      {inside.map((thing) => (
        <div
          key={thing.id}
          className={styles.thing}
          style={{
            transform: `scale(${scale}) translate(${thing.x - frame.x}px, ${thing.y - frame.y}px)`,
            width: thing.w,
            height: thing.h,
          }}
        >
          {thing.kind === 'cell' ? (
            <article className={classes.cell} data-type={board.store.getCell(thing.id)?.type}>
              <StandIn id={thing.id} />
            </article>
          ) : (
            <ItemView item={thing} />
          )}
        </div>
      ))}
    </div>
  );
}

/** Pictures of frames drawn by the server, charts included; empty where the server draws none. */
export function useDrawnFrames(wanted: readonly (PlacedItem | undefined)[]): ReadonlyMap<string, string> {
  const notebook = useNotebook();
  const [drawn, setDrawn] = useState<ReadonlyMap<string, string>>(new Map());
  const asked = useRef(new Set<string>());
  const ids = wanted.flatMap((frame) => frame?.id ?? []).join(' ');
  useEffect(() => {
    for (const id of ids.split(' ')) {
      if (id === '' || asked.current.has(id)) continue;
      asked.current.add(id);
      exportedBlob(notebook, 'png', id).then(
        (blob) => setDrawn((known) => new Map(known).set(id, URL.createObjectURL(blob))),
        () => {},
      );
    }
  }, [ids, notebook]);
  const latest = useRef(drawn);
  latest.current = drawn;
  useEffect(
    () => () => {
      for (const url of latest.current.values()) URL.revokeObjectURL(url);
    },
    [],
  );
  return drawn;
}
