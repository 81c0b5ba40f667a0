import { createFileRoute } from '@tanstack/react-router';
import { FeedbackPage } from '../../features/site/components/feedback-page.tsx';

export const Route = createFileRoute('/_shell/feedback')({
  staticData: { title: 'Feedback and help' },
  validateSearch: ({ about }: Record<string, unknown>): { about?: string } =>
    typeof about === 'string' && about ? { about: about.slice(0, 500) } : {},
  component: () => <FeedbackPage about={Route.useSearch().about} />,
});
