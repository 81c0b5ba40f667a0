import { createFileRoute } from '@tanstack/react-router';
import { TextPage } from '../../features/site/components/text-page.tsx';

export const Route = createFileRoute('/_shell/about')({
  staticData: { title: 'About' },
  component: () => <TextPage title="About" text="about" />,
});
