import type { DocumentViewProps } from '../../../platform/features/document-kind.ts';
import { lazyPart } from '../../../platform/features/lazy-part.ts';
import { NotebookPane } from '../../notebook/page/notebook-pane.tsx';

const Canvas = lazyPart(() => import('./canvas.tsx'), 'Canvas');

/** What is in the notebook is asked for while the code that draws the board is on its way. */
export const BoardPane = (props: DocumentViewProps) => <NotebookPane {...props} view={Canvas} />;
