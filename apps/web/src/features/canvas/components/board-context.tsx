import { createContext, useContext } from 'react';
import { useSignal } from '../../notebook/notebook-context.tsx';
import type { Board } from '../board.ts';

export const BoardContext = createContext<Board | null>(null);

export function useBoard(): Board {
  const board = useContext(BoardContext);
  if (!board) throw new Error('Used outside of a board');
  return board;
}

export function useThing(id: string) {
  const board = useBoard();
  return useSignal(board, `thing:${id}`, () => board.getThing(id));
}

export function useSelected(id: string): boolean {
  const board = useBoard();
  return useSignal(board, `selected:${id}`, () => board.isSelected(id));
}
