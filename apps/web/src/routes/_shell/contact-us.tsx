import { createFileRoute } from '@tanstack/react-router';
import { ContactPage } from '../../features/site/components/contact-page.tsx';

export const Route = createFileRoute('/_shell/contact-us')({
  staticData: { title: 'Contact' },
  component: ContactPage,
});
