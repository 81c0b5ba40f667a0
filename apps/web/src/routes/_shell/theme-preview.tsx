import { createFileRoute } from '@tanstack/react-router';
import { ThemePage } from '../../features/theme/components/theme-page.tsx';

export const Route = createFileRoute('/_shell/theme-preview')({
  staticData: { title: 'Theme' },
  component: ThemePage,
});
