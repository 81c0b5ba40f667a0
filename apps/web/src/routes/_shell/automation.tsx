import { createFileRoute } from '@tanstack/react-router';
import { AutomationPage } from '../../features/schedules/components/automation-page.tsx';
import { parseAutomationSearch } from '../../features/schedules/model.ts';
import { schedulesQuery } from '../../features/schedules/queries.ts';

export const Route = createFileRoute('/_shell/automation')({
  staticData: { title: 'Automation' },
  validateSearch: parseAutomationSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => void queryClient.prefetchQuery(schedulesQuery(deps)),
  component: () => <AutomationPage search={Route.useSearch()} />,
});
