import { declareNotifications } from '../notifications/declare-notifications.ts';

export const deliveriesNotifications = declareNotifications({
  types: {
    report_not_delivered: {
      group: 'schedules',
      words: ({ entity, news }) =>
        `${entity} was not delivered${news.metadata.reason ? `: ${news.metadata.reason.replace(/\.$/, '')}` : ''}`,
    },
  },
});
