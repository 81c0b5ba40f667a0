import { createFileRoute } from '@tanstack/react-router';
import { TextPage } from '../../features/site/components/text-page.tsx';

export const Route = createFileRoute('/_shell/terms-of-service')({
  staticData: { title: 'Terms of service' },
  component: () => <TextPage title="Terms of service" text="terms_of_service" />,
});
