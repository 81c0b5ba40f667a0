import type { DocumentViewProps } from '../../../platform/features/document-kind.ts';
import { lazyPart } from '../../../platform/features/lazy-part.ts';
import { NotebookPane } from '../../notebook/page/notebook-pane.tsx';

const Canvas = lazyPart(() => import('./canvas.tsx'), 'Canvas');

/** The notebook's data is loaded in parallel with the code that draws the board. */
export const BoardPane = (props: DocumentViewProps) => <NotebookPane {...props} view={Canvas} />;
