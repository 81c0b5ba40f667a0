import { lazy } from 'react';
import type { DocumentViewProps } from '../../../../platform/features/document-kind.ts';
import { NotebookPane } from '../../../notebook/page/notebook-pane.tsx';

const DashboardDesk = lazy(() => import('./dashboard-desk.tsx').then((module) => ({ default: module.DashboardDesk })));

export const DashboardPane = (props: DocumentViewProps) => <NotebookPane {...props} view={DashboardDesk} />;
