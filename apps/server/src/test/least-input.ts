import { newId } from '../platform/db/columns.ts';

/** The least that is valid, for the endpoints that need something. */
export const bodies: Record<string, object> = {
  'PATCH /v1/notebooks/{id}/owner': { user_id: newId() },
  'POST /v1/notebooks/{id}/user_permissions': { user_id: newId(), permissions: ['view'] },
  'PATCH /v1/notebooks/{id}/user_permissions/{permissionId}': { permissions: ['view'] },
  'POST /v1/notebooks/{id}/team_permissions': { team_id: newId(), permissions: ['view'] },
  'PATCH /v1/notebooks/{id}/team_permissions/{permissionId}': { permissions: ['view'] },
  'POST /v1/notebooks/{id}/invites': { email: 'x@example.org', permissions: ['view'] },
  'POST /v1/notebooks/{id}/link/open': { secret: 'x' },
  'POST /v1/notebooks/{id}/comments': { content: 'x' },
  'POST /v1/notebooks/{id}/comments/{commentId}/react': { reaction: 'like' },
  'POST /v1/notebooks/{id}/comments/{commentId}/report': { reason: 'x' },
  'POST /v1/teams/{id}/thumbnail': { upload_id: newId() },
  'PATCH /v1/teams/{id}/members/{userId}': { role: 'guest' },
  'PATCH /v1/teams/{id}/owner': { user_id: newId() },
  'POST /v1/notebooks/{id}/thumbnail': { upload_id: newId() },
  'POST /v1/notebooks/{id}/showcase_media': { upload_id: newId() },
  'PUT /v1/notebooks/{id}/showcase_media': { media_ids: [] },
  'PATCH /v1/notebooks/{id}/files-dirs': { from: 'a', to: 'b' },
  'POST /v1/notebooks/{id}/files-dirs': { path: 'a' },
  'DELETE /v1/notebooks/{id}/files-dirs': { paths: ['a'] },
  'POST /v1/notebooks/{id}/cloned-ids': { file_ids: [], clone_notebook_id: newId() },
  'POST /v1/notebooks/{id}/files-contents': { name: 'a' },
};

/** The same for what is asked in an address. */
export const queries: Record<string, Record<string, string>> = {
  'GET /v1/notebooks/{id}/files/{fileId}/data/statistics': { column: 'a' },
  'GET /v1/projects/{id}/files/{fileId}/notebook/outputs': { cell_id: 'a' },
};
