import type { QueryClient } from '@tanstack/react-query';
import { myServersQuery } from '../kernels/queries.ts';
import { newsQuery } from '../notifications/queries.ts';
import { recentProjectsQuery, recentSharedQuery, templatesQuery } from '../projects/queries.ts';
import { quotaQuery } from '../quota/queries.ts';
import { sessionQuery } from '../session/queries.ts';
import { newProjectsQuery, someTeamsQuery, tipsQuery } from './queries.ts';

/** Everything the page shows is asked for at once, so that it takes one round. */
export function prefetchDashboard(queryClient: QueryClient): void {
  const isGuest = queryClient.getQueryData(sessionQuery.queryKey)?.is_guest ?? true;
  void queryClient.prefetchQuery(recentProjectsQuery);
  void queryClient.prefetchQuery(templatesQuery);
  void queryClient.prefetchQuery(quotaQuery);
  void queryClient.prefetchQuery(myServersQuery);
  void queryClient.prefetchQuery(someTeamsQuery);
  void queryClient.prefetchQuery(tipsQuery);
  void queryClient.prefetchQuery(newProjectsQuery);
  if (isGuest) return;
  void queryClient.prefetchQuery(newsQuery);
  void queryClient.prefetchQuery(recentSharedQuery);
}
