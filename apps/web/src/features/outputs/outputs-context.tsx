import type { FramePage } from '@atoll/contract';
import { createContext, type ReactNode } from 'react';
import type { FrameQuery } from './frame.ts';

/** What outputs can ask of where they are shown; in a run or a file nobody answers. */
export interface OutputsPlace {
  loadFrame?(frameId: string, query: FrameQuery): Promise<FramePage>;
  /** The cell that was the n-th to run. */
  goToCell?(executionCount: number, line: number | null): void;
  drawWidget?(modelId: string): ReactNode;
}

export const OutputsContext = createContext<OutputsPlace>({});
