import { declareNotifications } from '../notifications/declare-notifications.ts';

export const subscriptionsNotifications = declareNotifications({
  groups: {
    billing: { label: 'Plan and payment', text: 'Renewals, missing units and the end of a plan', choice: 'email' },
  },
  types: {
    books_notice: {
      group: 'billing',
      words: ({ news }) => news.metadata.reason ?? 'Balances differ from the books',
      path: () => '/wallet',
    },
    subscription_notice: {
      group: 'billing',
      words: ({ news }) => news.metadata.reason ?? 'Your plan changes',
      path: () => '/pricing',
    },
  },
});
