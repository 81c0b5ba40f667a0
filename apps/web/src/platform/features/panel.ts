import type { ProjectFile } from '@atoll/contract/files/entity';
import type { ProjectAbility } from '@atoll/contract/projects/access';
import type { ProjectDetail } from '@atoll/contract/projects/entity';
import type { Icon } from '@tabler/icons-react';
import type { ComponentType } from 'react';

interface PanelFrame {
  id: string;
  label: string;
  icon: Icon;
  /** Ids of the kinds of document it belongs to; without them, it belongs to every file. */
  kinds?: readonly string[];
}

export interface PanelProps {
  project: ProjectDetail;
  file: ProjectFile | undefined;
  canEdit: boolean;
  /** The panel lies over the page, with a title of its own. */
  isNarrow: boolean;
  onOpen(fileId: string): void;
  onClose(): void;
}

/** A panel beside a project's files. */
export interface SidePanelEntry extends PanelFrame {
  place: 'left' | 'right';
  /** The panel is about the open file, and hidden without one. */
  isAboutFile?: boolean;
  permission?: ProjectAbility;
  buttonLabel?(project: ProjectDetail): string;
  keys?: string;
  /** The address says whether it is open (`?panel=`), so that a link can open it. */
  isInAddress?: boolean;
  isOpenAtFirst?: boolean;
  component: ComponentType<PanelProps>;
}

/** A panel of a document: drawn inside of it, where its contexts are available, and shown in the page's panel. */
export interface InnerPanelEntry extends PanelFrame {
  place: 'inside';
  /** The toolbar has a button for it. */
  hasButton?: boolean;
  /** Only for people who may run code. */
  isForRunning?: boolean;
  /** Only for people who may edit. */
  isForEditing?: boolean;
  /** On a phone the document above it stays visible. */
  isLow?: boolean;
  component: ComponentType;
}

export type Panel = SidePanelEntry | InnerPanelEntry;

export const belongsTo = ({ kinds }: Panel, kindId: string | undefined): boolean =>
  !kinds || (kindId !== undefined && kinds.includes(kindId));
