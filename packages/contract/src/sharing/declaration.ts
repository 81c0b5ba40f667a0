import { z } from 'zod';
import { declare } from '../declaration.ts';
import { id } from '../fields.ts';

export const sharingDeclaration = declare({
  permissions: ['access_request.create', 'access_request.view', 'access_request.cancel'],
  events: {
    'project.shared': z.object({ project_id: id, user_id: id, by_user_id: id.nullable() }),
    'project.grant_changed': z.object({ project_id: id, user_id: id }),
    'project.unshared': z.object({ project_id: id, user_id: id }),
    'project.shared_with_team': z.object({ project_id: id, team_id: id, by_user_id: id.nullable() }),
    'project.team_grant_changed': z.object({ project_id: id, team_id: id }),
    'project.unshared_with_team': z.object({ project_id: id, team_id: id }),
    'project.link_changed': z.object({ project_id: id, change: z.enum(['created', 'renewed', 'ended']) }),
    'project.invited': z.object({ project_id: id, invite_id: id, by_user_id: id.nullable() }),
    'project.invite_removed': z.object({ project_id: id, invite_id: id }),
    'project.invite_accepted': z.object({ project_id: id, user_id: id, by_user_id: id.nullable() }),
    'access.requested': z.object({ project_id: id, request_id: id, user_id: id }),
    'access.answered': z.object({
      project_id: id,
      request_id: id,
      user_id: id,
      by_user_id: id.nullable(),
      status: z.enum(['approved', 'rejected', 'canceled']),
    }),
  },
  personEvents: {
    access_changed: z.object({ project_id: id }).describe('A request for access was created, answered or canceled'),
  },
});
