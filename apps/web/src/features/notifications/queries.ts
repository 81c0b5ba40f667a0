import type { NotificationGroup } from '@atoll/contract/notifications/declared';
import { api } from '../../platform/client.ts';

/** What the bell shows, and how many are unread. */
export const newsQuery = api.notifications.list.queryOptions({ input: { page: 1, page_size: 10 } });

export const allNewsQuery = (group: NotificationGroup | undefined) =>
  api.notifications.list.infiniteOptions({
    input: (page: number) => ({ page, page_size: 30, group }),
    initialPageParam: 1,
    getNextPageParam: ({ page, page_size, total }) => (page * page_size < total ? page + 1 : undefined),
  });
