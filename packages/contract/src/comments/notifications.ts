import { declareNotifications, type NotificationContent } from '../notifications/declare-notifications.ts';

function commentPath({ project, metadata }: NotificationContent): string | null {
  if (!project) return null;
  const file = metadata.file_id ? `&file=${metadata.file_id}` : '';
  const cell = metadata.cell_id ? `#cell=${metadata.cell_id}` : '';
  return `/projects/${project.id}?panel=comments${file}${cell}`;
}

export const commentsNotifications = declareNotifications({
  groups: {
    comments: { label: 'Comments', text: 'Replies, mentions and comments on your projects', choice: 'email' },
  },
  types: {
    comment_created: {
      group: 'comments',
      words: ({ who, project }) => `${who} commented on ${project}`,
      path: commentPath,
    },
    comment_replied: {
      group: 'comments',
      words: ({ who, project }) => `${who} replied in ${project}`,
      path: commentPath,
    },
    comment_mentioned: {
      group: 'comments',
      words: ({ who, project }) => `${who} mentioned you in ${project}`,
      path: commentPath,
    },
    comment_liked: {
      group: 'comments',
      words: ({ who, does, project }) => `${who} ${does('likes', 'like')} your comment on ${project}`,
      path: commentPath,
    },
    comment_reported: {
      group: 'comments',
      words: ({ who, project }) => `${who} reported a comment on ${project}`,
      path: commentPath,
    },
  },
});
