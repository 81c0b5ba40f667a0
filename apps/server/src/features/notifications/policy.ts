import { allow, allowOnRow, identified, type Policy, registered } from '../../platform/policy/policy.ts';

/** One's own, whoever one is. */
const own = allowOnRow<{ userId: string }>(identified, (actor, { userId }) => userId === actor.userId);

export const notificationsPolicy: Policy = {
  'notification.view': own,
  'notification.edit': own,
  'notification.list': allow(identified),
  'tag_subscription.list': allow(registered),
  'tag_subscription.edit': allow(registered),
};
