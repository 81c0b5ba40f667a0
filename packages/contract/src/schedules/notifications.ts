import { declareNotifications } from '../notifications/declare-notifications.ts';

const path = () => '/automation';

export const schedulesNotifications = declareNotifications({
  groups: { schedules: { label: 'Schedules', text: 'Scheduled runs that fail, stop or are paused', choice: 'email' } },
  types: {
    schedule_failed: {
      group: 'schedules',
      words: ({ project, news }) => `A scheduled run of ${project} failed${because(news.metadata.reason)}`,
      path,
    },
    schedule_stopped: {
      group: 'schedules',
      words: ({ project }) =>
        `The schedule of ${project} stopped: others changed what it runs. Review the changes to go on`,
      path,
    },
    schedule_paused: {
      group: 'schedules',
      words: ({ project, news }) =>
        `The schedule of ${project} is paused: it failed three times in a row${because(news.metadata.reason)}`,
      path,
    },
  },
});

function because(reason: string | undefined): string {
  return reason ? `: ${reason.replace(/\.$/, '')}` : '';
}
