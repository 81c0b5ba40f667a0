import { createFileRoute } from '@tanstack/react-router';
import { UnitsPage } from '../../features/admin/billing/units-page.tsx';

export const Route = createFileRoute('/_shell/admin/units')({ staticData: { title: 'Units' }, component: UnitsPage });
