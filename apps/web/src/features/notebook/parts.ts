import {
  IconCodePlus,
  IconLayoutBoard,
  IconList,
  IconListNumbers,
  IconMessageCircle,
  IconNotebook,
  IconSearch,
  IconTableColumn,
  IconTrash,
} from '@tabler/icons-react';
import type { DocumentKind } from '../../platform/features/document-kind.ts';
import { lazyPart } from '../../platform/features/lazy-part.ts';
import type { InnerPanelEntry } from '../../platform/features/panel.ts';
import type { FeatureParts } from '../../platform/features/web-feature.ts';
import { boardView } from '../canvas/board-view.ts';
import { dashboardView } from '../canvas/dashboard-view.ts';
import { codeView } from '../files/kinds.ts';
import { canvasFormats, exportFormats } from './export-formats.ts';
import { NotebookPane } from './page/notebook-pane.tsx';

const shared: Pick<DocumentKind, 'views' | 'exports' | 'versions' | 'isRunInside' | 'isPublishable'> = {
  // Not lazy itself, because it loads the notebook's data in parallel with the code that shows it.
  views: [
    { ...codeView, label: 'Raw' },
    { id: 'preview', label: 'Notebook', isWithoutText: true, component: NotebookPane },
    boardView,
    dashboardView,
  ],
  exports: exportFormats,
  versions: {
    read: lazyPart(() => import('./versions/notebook-version.tsx'), 'NotebookVersion'),
    compare: lazyPart(() => import('./versions/notebook-compare.tsx'), 'NotebookCompare'),
  },
  isRunInside: true,
  isPublishable: true,
};

/** A notebook's source is hard to read, so it opens as a page; a canvas as a board. Both are the same document. */
const documents: DocumentKind[] = [
  {
    id: 'notebook',
    extensions: ['ipynb'],
    icon: IconNotebook,
    projectKind: 'notebook',
    ...shared,
    first: 'preview',
  },
  {
    id: 'canvas',
    extensions: ['mpsw'],
    icon: IconLayoutBoard,
    projectKind: 'canvas',
    ...shared,
    exports: canvasFormats,
    first: boardView.id,
  },
];

const inNotebook = { place: 'inside', kinds: ['notebook', 'canvas'] } as const;

const panels: InnerPanelEntry[] = [
  {
    id: 'outline',
    label: 'Table of contents',
    icon: IconList,
    ...inNotebook,
    hasButton: true,
    component: lazyPart(() => import('./panels/outline-panel.tsx'), 'OutlinePanel'),
  },
  {
    id: 'variables',
    label: 'Variables',
    icon: IconTableColumn,
    ...inNotebook,
    hasButton: true,
    isForRunning: true,
    component: lazyPart(() => import('./panels/variables-panel.tsx'), 'VariablesPanel'),
  },
  {
    id: 'find',
    label: 'Find and replace',
    icon: IconSearch,
    ...inNotebook,
    hasButton: true,
    isLow: true,
    component: lazyPart(() => import('./panels/find-panel.tsx'), 'FindPanel'),
  },
  {
    id: 'queue',
    label: 'Queue',
    icon: IconListNumbers,
    ...inNotebook,
    component: lazyPart(() => import('./panels/queue-panel.tsx'), 'QueuePanel'),
  },
  {
    id: 'snippets',
    label: 'Snippets',
    icon: IconCodePlus,
    ...inNotebook,
    component: lazyPart(() => import('./panels/snippets-panel.tsx'), 'SnippetsPanel'),
  },
  {
    id: 'comments',
    label: 'Comments',
    icon: IconMessageCircle,
    ...inNotebook,
    component: lazyPart(() => import('./panels/comments-beside.tsx'), 'CommentsBeside'),
  },
  {
    id: 'bin',
    label: 'Deleted cells',
    icon: IconTrash,
    ...inNotebook,
    component: lazyPart(() => import('./panels/bin-panel.tsx'), 'BinPanel'),
  },
];

export const parts: FeatureParts = { documents, panels };
