import { z } from 'zod';
import { email, id, line, text, time } from '../fields.ts';
import { personSummary } from '../projects/entity.ts';
import { requestStatuses } from '../requests.ts';
import { givenTeamRoles, membershipStatuses, teamAbilities, teamDiscoveries, teamRoles } from './access.ts';

export const teamSummary = z.object({
  id,
  name: z.string(),
  icon: z.string().nullable(),
  thumbnail: z.string().nullable(),
});
export type TeamSummary = z.infer<typeof teamSummary>;

export const teamMember = z.object({
  user: personSummary,
  role: z.enum(teamRoles),
  created_at: time,
  permissions: z.array(z.enum(['edit', 'delete'])).describe('What the caller may do with this membership'),
});
export type TeamMember = z.infer<typeof teamMember>;

/** The spec's Team. */
export const team = teamSummary.extend({
  description: z.string(),
  created_by: personSummary.nullable(),
  users_count: z.int(),
  projects_count: z.int(),
  discovery: z.enum(teamDiscoveries),
  is_discoverable: z.boolean(),
  is_join_approvable: z.boolean().describe('Whether an admin has to approve who wants to join'),
  contact_email: z.string().nullable(),
  membership_status: z.enum(membershipStatuses),
  last_members: z.array(personSummary.extend({ role: z.enum(teamRoles) })),
  created_at: time,
  updated_at: time,
  permissions: z.array(z.enum(teamAbilities)),
});
export type Team = z.infer<typeof team>;

export const teamDetail = team.extend({
  join_request_id: id.nullable().describe("The caller's own, while it waits"),
  is_invited: z.boolean().describe('Whether the caller can join by an invitation'),
  pending_requests: z.int().describe('Requests to join that wait; for those who may answer them'),
});
export type TeamDetail = z.infer<typeof teamDetail>;

export const joinRequest = z.object({
  id,
  team: teamSummary,
  user: personSummary,
  reason: z.string(),
  status: z.enum(requestStatuses),
  answered_by: personSummary.nullable(),
  created_at: time,
  answered_at: time.nullable(),
});
export type JoinRequest = z.infer<typeof joinRequest>;

export const teamInvite = z.object({
  id,
  email: z.string().nullable().describe('Null for a link, which anybody who has it can use'),
  role: z.enum(teamRoles),
  permissions: z.array(z.enum(teamAbilities)).describe('Of the role'),
  referral_code: z.string().nullable().describe('By which the inviter is thanked'),
  message: z.string(),
  invited_by: personSummary.nullable(),
  created_at: time,
  expires_at: time,
});
export type TeamInvite = z.infer<typeof teamInvite>;

export const teamName = line(60).min(2, 'Must have at least two characters');
export const teamFields = {
  description: text(2_000),
  icon: line(16).nullable().describe('An emoji, shown where there is no picture'),
  discovery: z.enum(teamDiscoveries),
  contact_email: z.union([email.toLowerCase(), z.literal('').transform(() => null)]).nullable(),
};
export const givenTeamRole = z.enum(givenTeamRoles);
