import { declareNotifications } from '../notifications/declare-notifications.ts';

const because = (reason: string | undefined) => (reason ? `: ${reason.replace(/\.$/, '')}` : '');

export const strategiesNotifications = declareNotifications({
  groups: {
    strategy_signals: { label: 'Signals', text: 'Orders of strategies that you follow', choice: 'app' },
    strategies: { label: 'Strategies', text: 'Strategies of yours that fail, are paused or stopped', choice: 'email' },
  },
  types: {
    strategy_failed: {
      group: 'strategies',
      words: ({ project, news }) => `The strategy ${project} has stopped${because(news.metadata.reason)}`,
    },
    strategy_stopped: {
      group: 'strategies',
      words: ({ project, news }) => `The strategy ${project} was stopped${because(news.metadata.reason)}`,
    },
    strategy_signal: {
      group: 'strategy_signals',
      words: ({ entity, news }) => `${entity}: ${news.metadata.excerpt ?? 'a new order'}`,
    },
    strategy_paused: {
      group: 'strategies',
      words: ({ project, news }) => `The strategy ${project} is paused${because(news.metadata.reason)}`,
    },
  },
});
