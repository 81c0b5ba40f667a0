import { type PersonSummary, type TeamAbility, type TeamRole, teamAbilitiesOn } from '@atoll/contract';
import { and, count, desc, eq, inArray, sql } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { loadPeople } from '../../projects/service/relations.ts';
import { type JoinRequestRow, type TeamRow, teamJoinRequests, teamMembers, teams } from '../table.ts';
import { callerOf, type TeamAccess } from './access.ts';

export interface TeamWithRelations {
  team: TeamRow;
  role: TeamRole | null;
  abilities: TeamAbility[];
  createdBy: PersonSummary | null;
  lastMembers: (PersonSummary & { role: TeamRole })[];
  request: JoinRequestRow | null;
}

const shownMembers = 5;

/** A page of teams in a few queries, however many they are. */
export async function withRelations(
  ctx: Context,
  rows: TeamRow[],
  db: Database | Transaction = ctx.db,
): Promise<TeamWithRelations[]> {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  const isMine = eq(teamMembers.userId, callerOf(ctx));
  const isWaiting = and(eq(teamJoinRequests.userId, callerOf(ctx)), eq(teamJoinRequests.status, 'pending'));
  const newest = db
    .select({ userId: teamMembers.userId, role: teamMembers.role })
    .from(teamMembers)
    .where(eq(teamMembers.teamId, teams.id))
    .orderBy(desc(teamMembers.createdAt), desc(teamMembers.userId))
    .limit(shownMembers)
    .as('newest');
  const [mine, requests, last] = await Promise.all([
    db
      .select()
      .from(teamMembers)
      .where(and(inArray(teamMembers.teamId, ids), isMine)),
    db
      .select()
      .from(teamJoinRequests)
      .where(and(inArray(teamJoinRequests.teamId, ids), isWaiting)),
    db
      .select({ teamId: teams.id, userId: newest.userId, role: newest.role })
      .from(teams)
      .innerJoinLateral(newest, sql`true`)
      .where(inArray(teams.id, ids)),
  ]);
  const people = await loadPeople(db, [...rows.map((row) => row.createdById), ...last.map((member) => member.userId)]);
  return rows.map((team) => {
    const role = mine.find((member) => member.teamId === team.id)?.role ?? null;
    return {
      team,
      role,
      abilities: teamAbilitiesOn({
        role,
        discovery: team.discovery,
        isInvited: false,
        isAdmin: ctx.actor.isAdmin,
      }),
      createdBy: people.get(team.createdById ?? '') ?? null,
      lastMembers: last
        .filter((member) => member.teamId === team.id)
        .flatMap(({ userId, role }) => {
          const person = people.get(userId);
          return person ? [{ ...person, role }] : [];
        }),
      request: requests.find((request) => request.teamId === team.id) ?? null,
    };
  });
}

export interface TeamDetails extends TeamWithRelations {
  isInvited: boolean;
  pendingRequests: number;
}

export async function withDetails(
  ctx: Context,
  access: TeamAccess,
  db: Database | Transaction = ctx.db,
): Promise<TeamDetails> {
  const [found] = await withRelations(ctx, [access.team], db);
  if (!found) throw new Error('The team was not loaded');
  const [waiting] = access.abilities.includes('edit')
    ? await db
        .select({ total: count() })
        .from(teamJoinRequests)
        .where(and(eq(teamJoinRequests.teamId, access.team.id), eq(teamJoinRequests.status, 'pending')))
    : [];
  return {
    ...found,
    abilities: access.abilities,
    isInvited: access.invite !== null,
    pendingRequests: waiting?.total ?? 0,
  };
}
