import { and, eq } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { invalidField } from '../../../platform/errors.ts';
import { findUser, findUserByEmail, findUserByName } from '../../users/service.ts';
import { type ProjectRow, projectGrants, projects } from '../table.ts';
import { requireLockedProject } from './access.ts';
import { hasRoom } from './write.ts';

type Receiver = { user_id?: string; recipient?: string };

/** The project and everything in it changes hands; the giver keeps what was granted to them, and nothing else. */
export async function transferProject(ctx: Context, id: string, to: Receiver): Promise<ProjectRow> {
  const field = to.user_id ? 'user_id' : 'recipient';
  return ctx.write(async (write) => {
    const { project } = await requireLockedProject(ctx, write.tx, id, 'project.transfer');
    const receiver = await findReceiver(write.tx, to);
    if (!receiver || receiver.isGuest || receiver.suspendedAt) throw invalidField(field, 'Cannot own projects');
    if (receiver.id === project.ownerId) throw invalidField(field, 'Already owns this project');
    if (!(await hasRoom(write, receiver))) throw invalidField(field, 'Has reached the project limit of their plan');
    // Whoever owns it needs no grant.
    await write.tx
      .delete(projectGrants)
      .where(and(eq(projectGrants.projectId, id), eq(projectGrants.userId, receiver.id)));
    const [row] = await write.tx
      .update(projects)
      .set({ ownerId: receiver.id, ownedAt: ctx.now(), updatedAt: ctx.now() })
      .where(eq(projects.id, id))
      .returning();
    await write.emit('project.transferred', {
      project_id: id,
      from_user_id: project.ownerId,
      to_user_id: receiver.id,
    });
    return row ?? project;
  });
}

async function findReceiver(tx: Transaction, { user_id, recipient = '' }: Receiver) {
  if (user_id) return findUser(tx, user_id);
  const name = recipient.replace(/^@/, '');
  const named = await (name.includes('@') ? findUserByEmail(tx, name) : findUserByName(tx, name));
  return named && findUser(tx, named.id);
}
