import { topics } from '@atoll/contract';
import type { EventHandlers } from '../../platform/events/relay.ts';
import type { Broadcasts } from '../../platform/feature.ts';
import { accessTopic, message, type TopicMessage } from '../../platform/realtime/stream.ts';
import { adoptProjects } from './service/write.ts';

export const projectEvents: EventHandlers = {
  'guest.merged': (ctx, { guest_user_id, user_id }) => adoptProjects(ctx, guest_user_id, user_id),
};

/** After this somebody may have lost a right. */
const rightsChanged = (project_id: string): TopicMessage => ({
  topic: accessTopic,
  event: 'project_changed',
  payload: { project_id },
});

const told = (projectId: string, fields: string[]) =>
  message(topics.projectFiles, { projectId }, 'project_changed', { fields });

export const projectBroadcasts: Broadcasts = {
  'project.updated': async (_tx, { project_id, fields }) => [
    told(project_id, fields),
    ...(fields.includes('visibility') ? [rightsChanged(project_id)] : []),
  ],
  'project.deleted': async (_tx, { project_id }) => [told(project_id, ['deleted_at']), rightsChanged(project_id)],
  'project.restored': async (_tx, { project_id }) => [told(project_id, ['deleted_at'])],
  'project.transferred': async (_tx, { project_id }) => [told(project_id, ['owner']), rightsChanged(project_id)],
};
