import { createFileRoute } from '@tanstack/react-router';
import { ThemePage } from '../../features/theme/components/theme-page.tsx';
import { parsePart } from '../../features/theme/model.ts';

export const Route = createFileRoute('/_shell/theme-preview')({
  staticData: { title: 'Theme' },
  validateSearch: parsePart,
  component: () => <ThemePage {...Route.useSearch()} />,
});
