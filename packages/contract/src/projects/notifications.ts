import { declareNotifications } from '../notifications/declare-notifications.ts';

export const projectsNotifications = declareNotifications({
  types: {
    followed_published: { group: 'people', words: ({ who, project }) => `${who} published ${project}` },
    tag_published: {
      group: 'people',
      words: ({ who, project, news }) => `${who} published ${project}, tagged ${news.metadata.tag ?? ''}`,
    },
  },
});
