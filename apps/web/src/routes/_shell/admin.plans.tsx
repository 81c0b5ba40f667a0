import { createFileRoute } from '@tanstack/react-router';
import { PlansPage } from '../../features/admin/billing/plans-page.tsx';

export const Route = createFileRoute('/_shell/admin/plans')({ staticData: { title: 'Plans' }, component: PlansPage });
