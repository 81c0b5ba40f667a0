import { declareNotifications } from '../notifications/declare-notifications.ts';

export const usersNotifications = declareNotifications({
  groups: {
    people: {
      label: 'People and tags',
      text: 'New followers, and projects of people and tags you follow',
      choice: 'app',
    },
  },
  types: {
    user_followed: {
      group: 'people',
      words: ({ who, does }) => `${who} ${does('follows', 'follow')} you`,
      path: ({ source_user }) => (source_user ? `/users/${source_user.user_name}` : null),
    },
  },
});
