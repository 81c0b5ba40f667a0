import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { done, empty, id, list, page } from '../fields.ts';
import { tag as tagEntity } from '../projects/entity.ts';
import { notificationGroupNames } from './declared.ts';
import { notification } from './entity.ts';

const about = { tag: 'Notifications', flag: 'notifications' } as const;

export const notificationEndpoints = {
  list: endpoint('GET', '/v1/notifications', { permission: 'notification.list', ...about, summary: 'My notifications' })
    .input(
      z.strictObject({
        page: page(1),
        page_size: page(10, 100),
        group: z.enum(notificationGroupNames).optional(),
        is_unread: z.stringbool().or(z.boolean()).optional(),
      }),
    )
    .output(list(notification).extend({ unread_count: z.int() })),

  readAll: endpoint('POST', '/v1/notifications/mark_all_as_read', {
    permission: 'notification.list',
    ...about,
    summary: 'Mark all my notifications as read',
    description: 'Or all of one group.',
  })
    .input(z.strictObject({ group: z.enum(notificationGroupNames).optional() }).default({}))
    .output(z.object({ unread_count: z.int() })),

  tagSubscriptions: endpoint('GET', '/v1/tag_subscriptions', {
    permission: 'tag_subscription.list',
    ...about,
    summary: 'Tags I follow',
  })
    .input(empty)
    .output(z.object({ entries: z.array(tagEntity) })),

  subscribeToTag: endpoint('POST', '/v1/tag_subscriptions', {
    permission: 'tag_subscription.edit',
    ...about,
    summary: 'Follow a tag',
  })
    .input(z.strictObject({ tag_id: id }))
    .output(tagEntity),

  unsubscribeFromTag: endpoint('DELETE', '/v1/tag_subscriptions/{tagId}', {
    permission: 'tag_subscription.edit',
    ...about,
    summary: 'Unfollow a tag',
  })
    .input(z.strictObject({ tagId: id }))
    .output(done),
};
