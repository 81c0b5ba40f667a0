import { abilitiesOn, type ProjectAbility, type Visibility } from '@atoll/contract';
import { inArray, sql } from 'drizzle-orm';
import type { Actor } from '../../../platform/actor.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { prepared } from '../../../platform/db/postgres-session.ts';
import { rowsOf } from '../../../platform/db/rows.ts';
import { teamMembers } from '../../teams/table.ts';
import { users } from '../../users/table.ts';
import { projectGrants, projectLinkViewers, projectOffers, projects } from '../table.ts';
import { allGranted, linkPermissions, type ReachingGrant } from './access.ts';

/** Somebody whose rights are asked for. */
export type Asker = Pick<Actor, 'userId' | 'isAdmin'>;

interface Right {
  userId: string | null;
  project: { id: string; name: string };
}

/** Which of these people may do this with which of these projects: the same rule as when they ask themselves. */
export async function whoMay(
  db: Database | Transaction,
  people: Asker[],
  projectIds: string[],
  ability: ProjectAbility,
): Promise<Right[]> {
  if (projectIds.length === 0 || people.length === 0) return [];
  const found = await loadStandings(db, people, projectIds);
  return found.flatMap(({ id, name, grants, ...standing }) => {
    const byPerson = Map.groupBy(grants, (grant) => grant.user_id);
    return people.flatMap(({ userId, isAdmin }) => {
      const abilities = abilitiesOn({
        visibility: standing.visibility,
        hidesSource: standing.hides_source,
        isOwner: standing.owner_id === userId,
        isAdmin,
        isDeleted: standing.is_deleted,
        grants: allGranted(byPerson.get(userId ?? '') ?? []),
      });
      return abilities.includes(ability) ? [{ userId, project: { id, name } }] : [];
    });
  });
}

interface Standing {
  id: string;
  name: string;
  owner_id: string;
  visibility: Visibility;
  hides_source: boolean;
  is_deleted: boolean;
  /** All that reach any of the people, by name or through a team. */
  grants: (ReachingGrant & { user_id: string })[];
}

/** One statement of one text: planning it took twice as long as reading a hundred projects. */
async function loadStandings(db: Database | Transaction, people: Asker[], projectIds: string[]): Promise<Standing[]> {
  const these = uuids(people.flatMap(({ userId }) => userId ?? []));
  const query = sql`${prepared} select id, name, owner_id, visibility, hides_source, deleted_at is not null as is_deleted,
      (select coalesce(jsonb_agg(reaching), '[]'::jsonb) from (
        select granted.user_id, granted.permissions, null as role from ${projectGrants} granted
        where granted.project_id = projects.id and granted.user_id = any(${these})
        union all select member.user_id, granted.permissions, member.role
        from ${projectGrants} granted join ${teamMembers} member on member.team_id = granted.team_id
        where granted.project_id = projects.id and member.user_id = any(${these})
        union all select viewer.user_id, ${linkPermissions}, null from ${projectLinkViewers} viewer
        where viewer.project_id = projects.id and viewer.user_id = any(${these})
        union all select offer.to_id, ${linkPermissions}, null from ${projectOffers} offer
        where offer.project_id = projects.id and offer.to_id = any(${these})) reaching) as grants
    from ${projects} where id = any(${uuids(projectIds)})`;
  const rows = rowsOf<Standing>(await db.execute(query));
  return rows;
}

/** As one value, so that the text is the same for any number of them. */
const uuids = (ids: string[]) => sql`string_to_array(${ids.join(',')}, ',')::uuid[]`;

export async function askersOf(db: Database | Transaction, userIds: string[]): Promise<Asker[]> {
  if (userIds.length === 0) return [];
  const rows = await db.select({ id: users.id, role: users.role }).from(users).where(inArray(users.id, userIds));
  return rows.map(({ id, role }) => ({ userId: id, isAdmin: role === 'admin' }));
}
