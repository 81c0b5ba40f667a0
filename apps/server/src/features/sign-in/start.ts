import { eq } from 'drizzle-orm';
import type { Context } from '../../platform/context.ts';
import { createUser, firstAdmin, freeUserName } from '../users/service.ts';
import { type UserRow, users } from '../users/table.ts';
import { createAdminLink } from './service/links.ts';
import { hashPassword } from './service/password-hash.ts';
import { identities, passkeys } from './table.ts';

/** There must be somebody who can let others in: an admin, by configuration or by a link in the terminal. */
export async function startSignIn(ctx: Context): Promise<void> {
  const { email, password } = ctx.config.admin;
  const found = (await firstAdmin(ctx.db)) ?? (await createAdmin(ctx, email, password));
  const admin = await applyConfiguration(ctx, found);
  if (!(await canSignIn(ctx, admin))) ctx.announce('admin_link', await createAdminLink(ctx, admin.id));
}

/** An admin made by link gets the address and password that were configured later. */
async function applyConfiguration(ctx: Context, admin: UserRow): Promise<UserRow> {
  const { email, password } = ctx.config.admin;
  const changed = {
    ...(email && !admin.email && { email, emailConfirmedAt: ctx.now() }),
    ...(password && !admin.passwordHash && { passwordHash: await hashPassword(ctx, password) }),
  };
  if (Object.keys(changed).length === 0) return admin;
  return ctx.write(async ({ tx, emit }) => {
    const [row] = await tx.update(users).set(changed).where(eq(users.id, admin.id)).returning();
    await emit('user.updated', { user_id: admin.id, fields: Object.keys(changed) });
    return row ?? admin;
  });
}

/** Whether the admin has a way in of their own; until then each start prints a link. */
async function canSignIn(ctx: Context, admin: UserRow): Promise<boolean> {
  if (admin.passwordHash && admin.email) return true;
  if (admin.emailConfirmedAt && ctx.config.mail.isDelivered) return true;
  const [passkey] = await ctx.db
    .select({ id: passkeys.id })
    .from(passkeys)
    .where(eq(passkeys.userId, admin.id))
    .limit(1);
  const [identity] = await ctx.db
    .select({ id: identities.id })
    .from(identities)
    .where(eq(identities.userId, admin.id))
    .limit(1);
  return passkey !== undefined || identity !== undefined;
}

async function createAdmin(ctx: Context, email: string | null, password: string | null) {
  const passwordHash = password ? await hashPassword(ctx, password) : null;
  const userName = await freeUserName(ctx.db, 'admin');
  return ctx.write((write) =>
    createUser(ctx, write, {
      email,
      userName,
      firstName: 'Admin',
      passwordHash,
      isEmailConfirmed: email !== null,
      role: 'admin',
    }),
  );
}
