import { createFileRoute } from '@tanstack/react-router';
import { TextPage } from '../../features/site/components/text-page.tsx';

export const Route = createFileRoute('/_shell/privacy-policy')({
  staticData: { title: 'Privacy policy' },
  component: () => <TextPage title="Privacy policy" text="privacy_policy" />,
});
