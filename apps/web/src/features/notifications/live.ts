import type { NotificationGroup } from '@atoll/contract/notifications/declared';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, client } from '../../platform/client.ts';
import { readAgainIfFetching } from '../../platform/query-client.ts';
import { subscribe } from '../../platform/realtime/realtime.ts';
import { useTopic } from '../../platform/realtime/use-topic.ts';
import { toastError } from '../../ui/toast.ts';
import { newsQuery } from './queries.ts';

/** The bell follows what happens: what is new is put on top, what is read elsewhere is read here. */
export function useNewsLive(userId: string): void {
  const queryClient = useQueryClient();
  const reload = () => void queryClient.invalidateQueries({ queryKey: api.notifications.list.key() });
  useTopic(
    'person',
    { userId },
    {
      on: {
        notification_created({ notification, unread_count }) {
          queryClient.setQueryData(newsQuery.queryKey, (before) =>
            before
              ? {
                  ...before,
                  unread_count,
                  total: before.total + (before.entries.some(({ id }) => id === notification.id) ? 0 : 1),
                  entries: [notification, ...before.entries.filter(({ id }) => id !== notification.id)].slice(0, 10),
                }
              : before,
          );
          void readAgainIfFetching(queryClient, newsQuery.queryKey);
          void queryClient.invalidateQueries({ queryKey: api.notifications.list.key({ type: 'infinite' }) });
        },
        notification_read: reload,
        notifications_read: reload,
      },
      onJoined: (_joined, isGap) => isGap && reload(),
    },
  );
}

/** Read at once here; the command is sent again until it has arrived. */
export function useReadNews(userId: string) {
  const queryClient = useQueryClient();
  return (ids: string[]) => {
    if (ids.length === 0) return;
    const now = new Date().toISOString();
    queryClient.setQueryData(newsQuery.queryKey, (before) =>
      before
        ? {
            ...before,
            unread_count: Math.max(0, before.unread_count - ids.length),
            entries: before.entries.map((each) => (ids.includes(each.id) ? { ...each, seen_at: now } : each)),
          }
        : before,
    );
    const subscription = subscribe('person', { userId }, {});
    void Promise.all(ids.map((id) => subscription.send('notification_read', { id })))
      .catch((error: unknown) => toastError(error))
      .finally(() => subscription.leave());
  };
}

export function useReadAll() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (group: NotificationGroup | undefined) => client.notifications.readAll({ group }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: api.notifications.list.key() }),
    onError: (error) => toastError(error),
  });
}
