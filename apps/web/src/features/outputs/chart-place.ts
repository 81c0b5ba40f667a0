import { createContext } from 'react';

/** What is known of a table where it is shown: how code names it, and where code can go. */
export interface ChartPlace {
  frame: string | null;
  insert?: { label: string; run(code: string): void };
}

export const ChartPlaceContext = createContext<ChartPlace>({ frame: null });
