import { z } from 'zod';
import { declare } from '../declaration.ts';
import { id } from '../fields.ts';

export const projectsDeclaration = declare({
  permissions: [
    'project.list',
    'project.create',
    'project.view',
    'project.view_source',
    'project.view_history',
    'project.edit',
    'project.execute',
    'project.clone',
    'project.export',
    'project.export_data',
    'project.embed',
    'project.view_analytics',
    'project.delete',
    'project.delete_permanently',
    'project.transfer',
    'project.answer_offer',
    'project.accept_code',
    'project.share',
    'project.unshare',
    'project.copy_link',
    'project.open_link',
  ],
  events: {
    'project.created': z.object({ project_id: id }),
    'project.updated': z.object({ project_id: id, fields: z.array(z.string()) }),
    'project.deleted': z.object({ project_id: id, is_final: z.boolean() }),
    'project.restored': z.object({ project_id: id }),
    'project.cloned': z.object({ project_id: id, clone_id: id }),
    'project.offered': z.object({ project_id: id, from_user_id: id, to_user_id: id }),
    'project.offer_ended': z.object({
      project_id: id,
      from_user_id: id,
      to_user_id: id,
      reason: z.enum(['declined', 'withdrawn', 'expired', 'void']),
    }),
    /** With the person whose offer was accepted; an admin who deletes an account hands its projects over without one. */
    'project.transferred': z.object({
      project_id: id,
      from_user_id: id,
      to_user_id: id,
      offered_by_id: id.nullable().optional(),
    }),
  },
  entities: ['project'],
  personEvents: {
    projects_changed: z.object({ project_id: id }).describe('A project in your lists was created, changed or deleted'),
  },
});
