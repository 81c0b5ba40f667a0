import type { DocumentView } from '../../platform/features/document-kind.ts';
import { DashboardPane } from './components/dashboard/dashboard-pane.tsx';

/** What was chosen of a notebook, on a grid, for people who look at it. */
export const dashboardView: DocumentView = {
  id: 'dashboard',
  label: 'Dashboard',
  isWithoutText: true,
  component: DashboardPane,
};
