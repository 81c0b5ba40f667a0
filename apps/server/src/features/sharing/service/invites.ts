import type { Paging, ProjectPermission } from '@atoll/contract';
import { and, desc, eq, isNotNull, sql } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { newId } from '../../../platform/db/columns.ts';
import { invalidField, notFound } from '../../../platform/errors.ts';
import { containing } from '../../../platform/like.ts';
import { countMail } from '../../mail/limits.ts';
import { mailedName } from '../../mail/names.ts';
import { sendThemedMail } from '../../mail/themed-mail.ts';
import { lockProject, requireProject } from '../../projects/service/access.ts';
import { projects } from '../../projects/table.ts';
import { inviterOf } from '../../users/friends.ts';
import { findUser, withReferralCode } from '../../users/service.ts';
import { type UserRow, users } from '../../users/table.ts';
import { type ProjectInviteRow, projectInvites } from '../table.ts';
import { addGrant, grantable, sharing } from './people.ts';

export type Invite = Pick<ProjectInviteRow, 'id' | 'email' | 'permissions' | 'message' | 'createdAt'> & {
  isAccepted: boolean;
};

export async function listInvites(
  ctx: Context,
  projectId: string,
  { page, page_size, search }: Paging & { search?: string },
): Promise<{ invites: Invite[]; total: number }> {
  await requireProject(ctx, ctx.db, projectId, 'project.share');
  const pattern = containing(search?.toLowerCase() ?? '');
  const where = and(
    eq(projectInvites.projectId, projectId),
    search ? sql`${projectInvites.email} like ${pattern}` : undefined,
  );
  const rows = await ctx.db
    .select()
    .from(projectInvites)
    .where(where)
    .orderBy(desc(projectInvites.createdAt), desc(projectInvites.id))
    .limit(page_size)
    .offset((page - 1) * page_size);
  const total = await ctx.db.$count(projectInvites, where);
  return { invites: rows.map((row) => ({ ...row, isAccepted: false })), total };
}

/** Whose proven address it is already has the project at once; anybody else is mailed. */
export const invite = (
  ctx: Context,
  projectId: string,
  input: { email: string; permissions: ProjectPermission[]; message: string },
): Promise<Invite> =>
  sharing(ctx, projectId, async (write, access) => {
    const permissions = grantable(access, input.permissions, []);
    const now = ctx.now();
    const [known] = await write.tx
      .select()
      .from(users)
      .where(and(eq(sql`lower(${users.email})`, input.email), isNotNull(users.emailConfirmedAt)));
    if (known?.id === access.project.ownerId) throw invalidField('email', 'Owns this project');
    if (known?.suspendedAt) throw invalidField('email', 'This person cannot be invited');
    if (known) {
      const row = await addGrant(ctx, write, { projectId, userId: known.id }, permissions);
      if (!row) throw invalidField('email', 'Already has access');
      await write.emit('project.shared', { project_id: projectId, user_id: known.id, by_user_id: ctx.actor.userId });
      return { id: newId(), email: input.email, permissions, message: '', createdAt: now, isAccepted: true };
    }
    const values = { permissions, message: input.message, invitedById: ctx.actor.userId, createdAt: now };
    const [row] = await write.tx
      .insert(projectInvites)
      .values({ projectId, email: input.email, ...values })
      .onConflictDoUpdate({ target: [projectInvites.projectId, projectInvites.email], set: values })
      .returning();
    if (!row) throw new Error('The invitation was not stored');
    await countMail(ctx, write, { senderId: ctx.userId, address: input.email });
    await write.emit('project.invited', {
      project_id: projectId,
      invite_id: row.id,
      by_user_id: ctx.actor.userId,
    });
    return { ...row, isAccepted: false };
  });

export const removeInvite = (ctx: Context, projectId: string, id: string): Promise<void> =>
  sharing(ctx, projectId, async ({ tx, emit }) => {
    const removed = await tx
      .delete(projectInvites)
      .where(and(eq(projectInvites.id, id), eq(projectInvites.projectId, projectId)))
      .returning({ id: projectInvites.id });
    if (removed.length === 0) throw notFound('This invitation');
    await emit('project.invite_removed', { project_id: projectId, invite_id: id });
  });

export async function mailInvite(ctx: Context, inviteId: string): Promise<void> {
  const [found] = await ctx.db
    .select({ invite: projectInvites, name: projects.name })
    .from(projectInvites)
    .innerJoin(projects, eq(projects.id, projectInvites.projectId))
    .where(eq(projectInvites.id, inviteId));
  if (!found) return;
  const { invite } = found;
  const name = mailedName(found.name);
  const inviter = await inviterOf(ctx, invite.invitedById);
  await sendThemedMail(ctx, invite.email, {
    subject: `“${name}” is shared with you`,
    lead: `${inviter.name} shares the project “${name}” with you.`,
    body: invite.message || undefined,
    button: 'Create account',
    url: withReferralCode(
      `${ctx.config.url}/sign-up?return_to=${encodeURIComponent(`/projects/${invite.projectId}`)}`,
      inviter.code,
    ),
    note: 'Create an account with this address and confirm it to open the project.',
  });
}

/** What was meant for an address is its owner's, once it is proven to be theirs. */
export async function claimInvites(ctx: Context, userId: string): Promise<void> {
  const user = await findUser(ctx.db, userId);
  if (!user?.email || !user.emailConfirmedAt) return;
  const waiting = await ctx.db.select().from(projectInvites).where(eq(projectInvites.email, user.email.toLowerCase()));
  for (const invite of waiting) await ctx.write((write) => claim(ctx, write, invite, user));
}

async function claim(ctx: Context, write: Write, invite: ProjectInviteRow, user: UserRow): Promise<void> {
  await lockProject(write.tx, invite.projectId);
  const taken = await write.tx.delete(projectInvites).where(eq(projectInvites.id, invite.id)).returning();
  const [project] = await write.tx.select().from(projects).where(eq(projects.id, invite.projectId));
  if (taken.length === 0 || !project || project.ownerId === user.id) return;
  const of = { projectId: project.id, userId: user.id };
  if (!(await addGrant(ctx, write, of, invite.permissions))) return;
  await write.emit('project.invite_accepted', {
    project_id: project.id,
    user_id: user.id,
    by_user_id: invite.invitedById,
  });
}
