import type { UserPermission } from '@atoll/contract';
import type { UserGrant } from './service.ts';

export const userPermissionView = (grant: UserGrant): UserPermission => ({
  id: grant.id,
  user: grant.person,
  permissions: grant.permissions,
  is_author: grant.isAuthor,
  created_at: grant.createdAt.toISOString(),
});
