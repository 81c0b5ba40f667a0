import { endpoints, ok } from '../../platform/http/implement.ts';
import { changeGrant, copyLink, listGrants, removeGrant, setAuthor, shareProject } from './service.ts';
import { userPermissionView } from './view.ts';

const { sharing } = endpoints;

export const sharingRoutes = {
  listUsers: sharing.listUsers.handler(async ({ context, input: { id, ...paging } }) => {
    const { grants, total } = await listGrants(context, id, paging);
    return { entries: grants.map(userPermissionView), ...paging, total };
  }),
  addUser: sharing.addUser.handler(async ({ context, input: { id, ...grant } }) =>
    userPermissionView(await shareProject(context, id, grant)),
  ),
  changeUser: sharing.changeUser.handler(async ({ context, input }) =>
    userPermissionView(await changeGrant(context, input.id, input.permissionId, input.permissions)),
  ),
  removeUser: sharing.removeUser.handler(async ({ context, input }) => {
    await removeGrant(context, input.id, input.permissionId);
    return ok;
  }),
  addAuthor: sharing.addAuthor.handler(async ({ context, input }) =>
    userPermissionView(await setAuthor(context, input.id, input.permissionId, true)),
  ),
  removeAuthor: sharing.removeAuthor.handler(async ({ context, input }) =>
    userPermissionView(await setAuthor(context, input.id, input.permissionId, false)),
  ),
  copyLink: sharing.copyLink.handler(async ({ context, input }) => {
    await copyLink(context, input.id);
    return ok;
  }),
};
