import type { PlacedItem } from '@atoll/notebook';
import { memo, useState } from 'react';
import { useSignal } from '../../../notebook/notebook-context.tsx';
import { useBoard, useSelected, useThing } from '../board-context.tsx';
import { BoardCell } from '../things/board-cell.tsx';
import { ItemComments } from '../things/comment-pins.tsx';
import { ItemView } from '../things/item-view.tsx';
import classes from './board.module.css';

/** One thing at its place. A thing that was drawn once stays in the page, hidden while it is far. */
export const ThingView = memo(function ThingView({ id }: { id: string }) {
  const board = useBoard();
  const thing = useThing(id);
  const isSelected = useSelected(id);
  const nearness = useSignal(board, `near:${id}`, () => board.nearness(id));
  const isNear = nearness !== 'far';
  const [wasNear, setWasNear] = useState(isNear);
  if (isNear && !wasNear) setWasNear(true);
  if (!thing) return null;
  const box = board.boxOf(id) ?? thing;
  return (
    <div
      ref={(element) => board.register(id, element)}
      className={classes.thing}
      data-thing={id}
      data-kind={thing.kind}
      data-colour={thing.kind === 'sticky' ? (thing as PlacedItem).colour : undefined}
      data-selected={isSelected || undefined}
      data-locked={thing.isLocked || undefined}
      data-hidden={!isNear || undefined}
      style={{
        // A transform for each of a thousand things would have to be computed again at each step of the camera.
        left: box.x,
        top: box.y,
        width: box.w,
        height: box.h,
        zIndex: board.rankOf(id),
      }}
    >
      {wasNear &&
        (thing.kind === 'cell' ? (
          <BoardCell id={id} place={thing} isLow={nearness === 'low'} />
        ) : (
          <>
            <ItemView item={thing as PlacedItem} />
            <ItemComments id={id} />
          </>
        ))}
    </div>
  );
});
