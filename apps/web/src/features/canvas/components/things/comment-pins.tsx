import { UnstyledButton } from '@mantine/core';
import { useCommentCount, useCommentSpots } from '../../../notebook/cells/comment-marks.tsx';
import { useNotebook } from '../../../notebook/notebook-context.tsx';
import classes from './comments.module.css';

/** Pins at the places of the board that have comments. */
export function CommentPins() {
  const { ui } = useNotebook();
  return useCommentSpots().map(({ x, y, count }) => (
    <UnstyledButton
      key={`${x} ${y}`}
      className={classes.pin}
      style={{ left: x, top: y }}
      data-no-board
      aria-label={`${words(count)} on a spot`}
      onClick={() => ui.commentOnPlace({ spot: { x, y } })}
    >
      {count}
    </UnstyledButton>
  ));
}

export function ItemComments({ id }: { id: string }) {
  const { ui } = useNotebook();
  const count = useCommentCount(id);
  if (count === 0) return null;
  return (
    <UnstyledButton
      className={classes.comments}
      data-no-board
      aria-label={`${words(count)} on an item`}
      onClick={() => ui.commentOnPlace({ itemId: id })}
    >
      {count}
    </UnstyledButton>
  );
}

const words = (count: number): string => (count === 1 ? '1 comment' : `${count} comments`);
