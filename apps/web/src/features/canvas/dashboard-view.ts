import type { DocumentView } from '../../platform/features/document-kind.ts';
import { DashboardPane } from './components/dashboard/dashboard-pane.tsx';

/** Shows chosen cells and items of a notebook on a grid, for viewers. */
export const dashboardView: DocumentView = {
  id: 'dashboard',
  label: 'Dashboard',
  isWithoutText: true,
  component: DashboardPane,
};
