import { z } from 'zod';
import { declare } from '../declaration.ts';
import { id } from '../fields.ts';

export const teamsDeclaration = declare({
  permissions: [
    'team.list',
    'team.create',
    'team.view',
    'team.edit',
    'team.delete',
    'team.transfer',
    'team.join',
    'team.leave',
  ],
  events: {
    'team.created': z.object({ team_id: id }),
    'team.updated': z.object({ team_id: id, fields: z.array(z.string()) }),
    'team.deleted': z.object({ team_id: id, name: z.string(), user_ids: z.array(id), project_ids: z.array(id) }),
    'team.joined': z.object({
      team_id: id,
      user_id: id,
      by_user_id: id.nullable(),
      /** Who had asked them by mail. */
      invited_by_user_id: id.nullish(),
    }),
    'team.left': z.object({ team_id: id, user_id: id, by_user_id: id.nullable() }),
    'team.role_changed': z.object({ team_id: id, user_id: id, by_user_id: id.nullable(), role: z.string() }),
    'team.transferred': z.object({ team_id: id, from_user_id: id.nullable(), to_user_id: id }),
    'team.invited': z.object({ team_id: id, invite_id: id, by_user_id: id.nullable() }),
    'team.invite_removed': z.object({ team_id: id, invite_id: id }),
    'team.join_requested': z.object({ team_id: id, request_id: id, user_id: id }),
    'team.join_answered': z.object({
      team_id: id,
      request_id: id,
      user_id: id,
      by_user_id: id.nullable(),
      status: z.enum(['approved', 'rejected', 'canceled']),
    }),
  },
  entities: ['team'],
  personEvents: {
    teams_changed: z.object({ team_id: id }).describe('One of your teams was created, changed or deleted'),
  },
});
