import { declareNotifications, type NotificationContent } from '../notifications/declare-notifications.ts';

const path = ({ entity }: NotificationContent) => entity?.path ?? null;

export const publicationsNotifications = declareNotifications({
  types: {
    publication_followed: { group: 'people', words: ({ who, entity }) => `${who} published ${entity}`, path },
    publication_tagged: {
      group: 'people',
      words: ({ who, entity, news }) => `${who} published ${entity}, tagged ${news.metadata.tag ?? ''}`,
      path,
    },
    publication_shared: { group: 'sharing', words: ({ who, entity }) => `${who} shared ${entity} with you`, path },
  },
});
