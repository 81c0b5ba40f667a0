import type { DocumentViewProps } from '../../../../platform/features/document-kind.ts';
import { lazyPart } from '../../../../platform/features/lazy-part.ts';
import { NotebookPane } from '../../../notebook/page/notebook-pane.tsx';

const DashboardDesk = lazyPart(() => import('./dashboard-desk.tsx'), 'DashboardDesk');

export const DashboardPane = (props: DocumentViewProps) => <NotebookPane {...props} view={DashboardDesk} />;
