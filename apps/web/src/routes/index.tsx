import { landingPath } from '@atoll/contract/platforms';
import { createFileRoute, redirect } from '@tanstack/react-router';
import { FrontPage } from '../features/home/components/front-page.tsx';
import { themeQuery } from '../features/theme/queries.ts';

export const Route = createFileRoute('/')({
  beforeLoad: async ({ context: { queryClient } }) => {
    const theme = await queryClient.ensureQueryData(themeQuery);
    const landing = landingPath[theme.platform];
    if (landing !== '/') throw redirect({ to: landing, search: true, hash: true, replace: true });
  },
  component: FrontPage,
});
