import { done, endpoints, pageOf } from '../../platform/http/implement.ts';
import { listNotifications, readAll } from './service/read.ts';
import { listTagSubscriptions, subscribeToTag, unsubscribeFromTag } from './service/tags.ts';

const { notifications } = endpoints;

export const notificationRoutes = {
  list: notifications.list.handler(async ({ context, input }) =>
    pageOf(input, await listNotifications(context, input)),
  ),
  readAll: notifications.readAll.handler(({ context, input }) => readAll(context, input.group)),
  tagSubscriptions: notifications.tagSubscriptions.handler(async ({ context }) => ({
    entries: await listTagSubscriptions(context),
  })),
  subscribeToTag: notifications.subscribeToTag.handler(({ context, input }) => subscribeToTag(context, input.tag_id)),
  unsubscribeFromTag: notifications.unsubscribeFromTag.handler(({ context, input }) =>
    done(unsubscribeFromTag(context, input.tagId)),
  ),
};
