import { allowOnRow, identified, type Policy } from '../../platform/policy/policy.ts';

/** One's own, whoever one is. */
const own = allowOnRow<{ userId: string }>(identified, (actor, { userId }) => userId === actor.userId);

export const notificationsPolicy: Policy = { 'notification.view': own, 'notification.edit': own };
