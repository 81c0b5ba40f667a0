import type { EventHandlers } from '../../platform/events/relay.ts';
import { tellOfPublished } from './service/fan-out.ts';

/** To those who follow its owner or its tags; every other notification is its own feature's. */
export const notificationEvents: EventHandlers = {
  'project.created': (ctx, { project_id }) => tellOfPublished(ctx, project_id),
  'project.updated': async (ctx, { project_id, fields }) => {
    if (fields.includes('visibility') || fields.includes('tags')) await tellOfPublished(ctx, project_id);
  },
};
