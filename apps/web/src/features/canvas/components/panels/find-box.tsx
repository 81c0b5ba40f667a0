import { ActionIcon, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconSearch, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useSignal } from '../../../notebook/notebook-context.tsx';
import type { Board } from '../../board.ts';
import { useBoard } from '../board-context.tsx';
import classes from './panels.module.css';

function foundIn(board: Board, query: string): string[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return [];
  return board
    .all()
    .filter((thing) =>
      (thing.kind === 'cell' ? board.store.sourceOf(thing.id) : thing.text).toLowerCase().includes(wanted),
    )
    .sort((one, other) => one.y - other.y || one.x - other.x)
    .map(({ id }) => id);
}

/** Finds text in cells and items, and goes there. */
export function FindBox() {
  const board = useBoard();
  const isShown = useSignal(board, 'find', board.getFind);
  return isShown ? <Find /> : null;
}

function Find() {
  const board = useBoard();
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const found = foundIn(board, query);
  const show = (ids: string[], index: number) => {
    const id = ids[(index + ids.length) % ids.length];
    if (!id) return;
    setAt((index + ids.length) % ids.length);
    board.select([id]);
    board.reveal(id);
  };
  return (
    <search className={classes.find} data-no-board>
      <TextInput
        size="xs"
        autoFocus
        aria-label="Find on the canvas"
        placeholder="Find on the canvas"
        leftSection={<IconSearch size={14} aria-hidden />}
        value={query}
        onChange={(event) => {
          setQuery(event.currentTarget.value);
          show(foundIn(board, event.currentTarget.value), 0);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') show(found, at + (event.shiftKey ? -1 : 1));
          if (event.key === 'Escape') board.showFind(false);
        }}
      />
      <span role="status">
        {query === '' ? '' : found.length === 0 ? 'No results' : `${at + 1} of ${found.length}`}
      </span>
      <ActionIcon
        size={26}
        aria-label="Previous result"
        disabled={found.length === 0}
        onClick={() => show(found, at - 1)}
      >
        <IconChevronUp size={15} />
      </ActionIcon>
      <ActionIcon size={26} aria-label="Next result" disabled={found.length === 0} onClick={() => show(found, at + 1)}>
        <IconChevronDown size={15} />
      </ActionIcon>
      <ActionIcon size={26} aria-label="Close find" onClick={() => board.showFind(false)}>
        <IconX size={15} />
      </ActionIcon>
    </search>
  );
}
