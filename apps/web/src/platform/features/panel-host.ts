import type { Icon } from '@tabler/icons-react';
import { createContext } from 'react';

export const sides = ['left', 'right'] as const;
export type Side = (typeof sides)[number];

export interface PanelTab {
  id: string;
  label: string;
  icon: Icon;
}

/** The panels that the open document adds to the panels of the page. */
export interface DocumentPanels {
  tabs: Record<Side, PanelTab[]>;
  /** The id of the open panel on each side. */
  shown: Record<Side, string | null>;
  show(id: string): void;
  close(side: Side): void;
}

/** A page with one panel at each side. Documents draw theirs into its slots, so that there is no second panel beside it. */
export interface PanelHost {
  slots: Record<Side, HTMLElement | null>;
  setDocumentPanels(panels: DocumentPanels | null): void;
}

export const PanelHostContext = createContext<PanelHost | null>(null);
