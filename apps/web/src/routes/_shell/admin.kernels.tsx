import { createFileRoute } from '@tanstack/react-router';
import { KernelsPage } from '../../features/admin/operations/kernels-page.tsx';

export const Route = createFileRoute('/_shell/admin/kernels')({
  staticData: { title: 'Kernels' },
  component: KernelsPage,
});
