import type { AdminRole, roleFields } from '@atoll/contract';
import { count, eq } from 'drizzle-orm';
import type { z } from 'zod';
import { changesOf } from '../../../platform/action-log/changes.ts';
import { recordAction } from '../../../platform/action-log/record.ts';
import type { Context, Write } from '../../../platform/context.ts';
import { isUniqueViolation } from '../../../platform/db/database.ts';
import { definedOf } from '../../../platform/defined.ts';
import { AppError, invalidField, notFound } from '../../../platform/errors.ts';
import { peopleWithRole } from '../../plans/service/tell.ts';
import { type RoleRow, roles, userRoles } from '../../users/table.ts';

const view = (row: RoleRow, people: number): AdminRole => ({
  id: row.id,
  name: row.name,
  description: row.description,
  features: row.features,
  limits: row.limits,
  people_count: people,
  created_at: row.createdAt.toISOString(),
});
const recorded = ({ name, description, features, limits }: RoleRow) => ({ name, description, features, limits });
const subject = (id: string) => ({ type: 'role', id });
const peopleOf = (db: Context['db'], id: string) => db.$count(userRoles, eq(userRoles.roleId, id));

export async function listRoles(ctx: Context): Promise<{ entries: AdminRole[] }> {
  const rows = await ctx.db
    .select({ role: roles, people: count(userRoles.userId) })
    .from(roles)
    .leftJoin(userRoles, eq(userRoles.roleId, roles.id))
    .groupBy(roles.id)
    .orderBy(roles.name);
  return { entries: rows.map(({ role, people }) => view(role, people)) };
}

const named = (error: unknown) =>
  isUniqueViolation(error, 'roles_name') ? invalidField('name', 'There is already a role with this name') : error;

export async function createRole(ctx: Context, input: z.output<typeof roleFields>): Promise<AdminRole> {
  return ctx.write(async (write) => {
    const [row] = await write.tx
      .insert(roles)
      .values({ ...input, createdAt: ctx.now() })
      .returning()
      .catch((error: unknown) => {
        throw named(error);
      });
    if (!row) throw new Error('The role was not stored');
    await recordAction(ctx, write, { action: 'role.created', subject: subject(row.id), after: recorded(row) });
    return view(row, 0);
  });
}

async function lockRole({ tx }: Write, id: string): Promise<RoleRow> {
  const [row] = await tx.select().from(roles).where(eq(roles.id, id)).for('update');
  if (!row) throw notFound('This role');
  return row;
}

export async function updateRole(
  ctx: Context,
  id: string,
  update: Partial<z.output<typeof roleFields>>,
): Promise<AdminRole> {
  return ctx.write(async (write) => {
    const row = await lockRole(write, id);
    const values = { ...recorded(row), ...definedOf(update) };
    const { before, after, isSame } = changesOf(recorded(row), values);
    if (!isSame) {
      await write.tx
        .update(roles)
        .set(values)
        .where(eq(roles.id, id))
        .catch((error: unknown) => {
          throw named(error);
        });
      await recordAction(ctx, write, { action: 'role.updated', subject: subject(id), before, after });
      await write.emit('role.changed', { role_id: id });
    }
    return view({ ...row, ...values }, await peopleOf(write.tx, id));
  });
}

export async function deleteRole(ctx: Context, id: string, isForced: boolean): Promise<void> {
  await ctx.write(async (write) => {
    const row = await lockRole(write, id);
    const people = await peopleOf(write.tx, id);
    if (people > 0 && !isForced) {
      const who = people === 1 ? '1 person has' : `${people} people have`;
      throw new AppError('conflict', `${who} this role.`, { details: { reason: 'role_in_use', people } });
    }
    const user_ids = await peopleWithRole(ctx, write, id);
    await write.tx.delete(roles).where(eq(roles.id, id));
    await write.emit('role.changed', { role_id: id, user_ids });
    await recordAction(ctx, write, {
      action: 'role.deleted',
      subject: subject(id),
      before: { ...recorded(row), people },
    });
  });
}
