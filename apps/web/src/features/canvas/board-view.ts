import type { DocumentView } from '../../platform/features/document-kind.ts';
import { BoardPane } from './components/board-pane.tsx';

/** Shows any notebook as a canvas: the same document, live. */
export const boardView: DocumentView = { id: 'board', label: 'Canvas', isWithoutText: true, component: BoardPane };
