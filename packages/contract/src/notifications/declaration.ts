import { declare } from '../declaration.ts';

export const notificationsDeclaration = declare({
  permissions: [
    'notification.view',
    'notification.edit',
    'notification.list',
    'tag_subscription.list',
    'tag_subscription.edit',
  ],
});
