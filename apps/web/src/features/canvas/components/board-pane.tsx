import { lazy } from 'react';
import type { DocumentViewProps } from '../../../platform/features/document-kind.ts';
import { NotebookPane } from '../../notebook/page/notebook-pane.tsx';

const Canvas = lazy(() => import('./canvas.tsx').then((module) => ({ default: module.Canvas })));

/** What is in the notebook is asked for while the code that draws the board is on its way. */
export const BoardPane = (props: DocumentViewProps) => <NotebookPane {...props} view={Canvas} />;
