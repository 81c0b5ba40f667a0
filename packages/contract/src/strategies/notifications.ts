import { declareNotifications } from '../notifications/declare-notifications.ts';

const because = (reason: string | undefined) => (reason ? `: ${reason.replace(/\.$/, '')}` : '');

export const strategiesNotifications = declareNotifications({
  groups: { strategies: { label: 'Strategies', text: 'Running strategies that fail or are paused', choice: 'email' } },
  types: {
    strategy_failed: {
      group: 'strategies',
      words: ({ project, news }) => `The strategy ${project} has stopped${because(news.metadata.reason)}`,
    },
    strategy_paused: {
      group: 'strategies',
      words: ({ project, news }) => `The strategy ${project} is paused${because(news.metadata.reason)}`,
    },
  },
});
