import { createFileRoute } from '@tanstack/react-router';
import { AdminFrame } from '../../features/admin/components/admin-frame.tsx';

export const Route = createFileRoute('/_shell/admin')({ staticData: { title: 'Admin' }, component: AdminFrame });
