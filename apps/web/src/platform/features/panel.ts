import type { ProjectFile } from '@atoll/contract/files/entity';
import type { ProjectAbility } from '@atoll/contract/projects/access';
import type { ProjectDetail } from '@atoll/contract/projects/entity';
import type { Icon } from '@tabler/icons-react';
import type { ComponentType } from 'react';

interface PanelFrame {
  id: string;
  label: string;
  icon: Icon;
  /** Ids of the kinds of document it belongs to; without them, every file has it. */
  kinds?: readonly string[];
}

export interface PanelProps {
  project: ProjectDetail;
  file: ProjectFile | undefined;
  canEdit: boolean;
  /** It lies over the page, under a title of its own. */
  isNarrow: boolean;
  onOpen(fileId: string): void;
  onClose(): void;
}

/** Beside a project's files. */
export interface SidePanelEntry extends PanelFrame {
  place: 'left' | 'right';
  /** It is about the open file: without one it is not there. */
  isAboutFile?: boolean;
  permission?: ProjectAbility;
  buttonLabel?(project: ProjectDetail): string;
  keys?: string;
  /** Whether it is open is in the address (`?panel=`), so that a link can lead to it. */
  isInAddress?: boolean;
  isOpenAtFirst?: boolean;
  component: ComponentType<PanelProps>;
}

/** Of a document: drawn inside of it, where what the document provides can be used, and shown in the page's panel. */
export interface InnerPanelEntry extends PanelFrame {
  place: 'inside';
  /** The toolbar has a button for it. */
  hasButton?: boolean;
  /** Only for who may run code. */
  isForRunning?: boolean;
  /** Only for who may edit. */
  isForEditing?: boolean;
  /** On a phone the document above it stays in reach. */
  isLow?: boolean;
  component: ComponentType;
}

export type Panel = SidePanelEntry | InnerPanelEntry;

export const belongsTo = ({ kinds }: Panel, kindId: string | undefined): boolean =>
  !kinds || (kindId !== undefined && kinds.includes(kindId));
