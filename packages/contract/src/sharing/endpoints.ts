import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { done, id, list, time } from '../fields.ts';
import { projectPermissions } from '../projects/access.ts';
import { personSummary } from '../projects/entity.ts';

const tag = 'Sharing';

/** What somebody may do with a project that is not theirs. */
export const userPermission = z.object({
  id,
  user: personSummary,
  permissions: z.array(z.enum(projectPermissions)),
  is_author: z.boolean().describe('Named as an author of the project'),
  created_at: time,
});
export type UserPermission = z.infer<typeof userPermission>;

const granted = z
  .array(z.enum(projectPermissions))
  .min(1, 'Choose at least one permission')
  .max(projectPermissions.length)
  .describe('What they bring along is granted too: nobody can edit what they cannot see');
const byId = z.strictObject({ id, permissionId: id });
const page = z.coerce.number().int().min(1).max(1_000_000).default(1);
const pageSize = z.coerce.number().int().min(1).max(100).default(100);

export const sharingEndpoints = {
  listUsers: endpoint('GET', '/v1/notebooks/{id}/user_permissions', {
    permission: 'project.share',
    tag,
    summary: 'People a project is shared with',
  })
    .input(z.strictObject({ id, page, page_size: pageSize }))
    .output(list(userPermission)),

  addUser: endpoint('POST', '/v1/notebooks/{id}/user_permissions', {
    permission: 'project.share',
    tag,
    summary: 'Share a project with somebody',
    description: 'Nobody can grant what they may not do themselves. Who it is shared with already is changed instead.',
  })
    .input(z.strictObject({ id, user_id: id, permissions: granted }))
    .output(userPermission),

  changeUser: endpoint('PATCH', '/v1/notebooks/{id}/user_permissions/{permissionId}', {
    permission: 'project.share',
    tag,
    summary: 'Change what somebody may do with a project',
  })
    .input(byId.extend({ permissions: granted }))
    .output(userPermission),

  removeUser: endpoint('DELETE', '/v1/notebooks/{id}/user_permissions/{permissionId}', {
    permission: 'project.unshare',
    tag,
    summary: 'Stop sharing a project with somebody, or leave it oneself',
  })
    .input(byId)
    .output(done),

  addAuthor: endpoint('POST', '/v1/notebooks/{id}/user_permissions/{permissionId}/author', {
    permission: 'project.share',
    tag,
    summary: 'Name somebody as an author',
  })
    .input(byId)
    .output(userPermission),

  removeAuthor: endpoint('DELETE', '/v1/notebooks/{id}/user_permissions/{permissionId}/author', {
    permission: 'project.share',
    tag,
    summary: 'No longer name somebody as an author',
  })
    .input(byId)
    .output(userPermission),

  copyLink: endpoint('POST', '/v1/notebooks/{id}/link_copies', {
    permission: 'project.copy_link',
    tag,
    summary: 'Count that the link to a project was copied',
    description: 'Counts once a day for each person.',
  })
    .input(z.strictObject({ id }))
    .output(done),
};
