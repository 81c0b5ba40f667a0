import { createFileRoute } from '@tanstack/react-router';
import { CommonModels } from '../../features/ai/components/models-section.tsx';

export const Route = createFileRoute('/_shell/admin/models')({
  staticData: { title: 'Models' },
  component: CommonModels,
});
