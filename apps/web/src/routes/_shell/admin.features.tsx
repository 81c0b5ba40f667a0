import { createFileRoute } from '@tanstack/react-router';
import { FeaturesPage } from '../../features/admin/people/features-page.tsx';

export const Route = createFileRoute('/_shell/admin/features')({
  staticData: { title: 'Features' },
  component: FeaturesPage,
});
