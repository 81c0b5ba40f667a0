import {
  declareNotifications,
  type NotificationContent,
  type NotificationNames,
} from '../notifications/declare-notifications.ts';
import { readerCommentsAnchor } from './place.ts';

/** Readers of a publication speak under it; what they may do with its project is another matter. */
const placeOf = ({ project, news: { entity } }: NotificationNames) => (entity?.path ? `“${entity.name}”` : project);

function commentPath({ project, entity, metadata }: NotificationContent): string | null {
  if (entity?.path) return `${entity.path}#${readerCommentsAnchor}`;
  if (!project) return null;
  const file = metadata.file_id ? `&file=${metadata.file_id}` : '';
  const cell = metadata.cell_id ? `#cell=${metadata.cell_id}` : '';
  return `/projects/${project.id}?panel=comments${file}${cell}`;
}

export const commentsNotifications = declareNotifications({
  groups: {
    comments: {
      label: 'Comments',
      text: 'Replies, mentions and comments on your projects and publications',
      choice: 'email',
    },
  },
  types: {
    comment_created: {
      group: 'comments',
      words: (names) => `${names.who} commented on ${placeOf(names)}`,
      path: commentPath,
    },
    comment_replied: {
      group: 'comments',
      words: (names) => `${names.who} replied in ${placeOf(names)}`,
      path: commentPath,
    },
    comment_mentioned: {
      group: 'comments',
      words: (names) => `${names.who} mentioned you in ${placeOf(names)}`,
      path: commentPath,
    },
    comment_liked: {
      group: 'comments',
      words: (names) => `${names.who} ${names.does('likes', 'like')} your comment on ${placeOf(names)}`,
      path: commentPath,
    },
    comment_reported: {
      group: 'comments',
      words: (names) => `${names.who} reported a comment on ${placeOf(names)}`,
      path: commentPath,
    },
  },
});
