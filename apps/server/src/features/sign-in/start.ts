import { count, eq } from 'drizzle-orm';
import type { Context } from '../../platform/context.ts';
import { sessions } from '../sessions/table.ts';
import { createUser, firstAdmin, freeUserName } from '../users/service.ts';
import { createAdminLink } from './service/links.ts';
import { hashPassword } from './service/password.ts';

/** On a first start there must be somebody who can let others in: an admin, by configuration or by a printed link. */
export async function startSignIn(ctx: Context): Promise<void> {
  const { email, password } = ctx.config.admin;
  const admin = (await firstAdmin(ctx.db)) ?? (await createAdmin(ctx, email, password));
  if (password && admin.email) return;
  const [signIns] = await ctx.db.select({ total: count() }).from(sessions).where(eq(sessions.userId, admin.id));
  if (signIns?.total) return;
  ctx.announce('admin_link', await createAdminLink(ctx, admin.id));
}

async function createAdmin(ctx: Context, email: string | null, password: string | null) {
  const passwordHash = password ? await hashPassword(password) : null;
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
