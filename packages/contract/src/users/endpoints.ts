import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { done, email, id, line, list, page, text, userName } from '../fields.ts';
import { personSummary } from '../projects/entity.ts';
import { followedPerson, publicUser } from './entity.ts';

export const userEndpoints = {
  list: endpoint('GET', '/v1/users', {
    permission: 'user.list',
    tag: 'Users',
    summary: 'Find people',
    description:
      'Those who want to be found, by part of their name; anybody by their exact user name or their confirmed e-mail address.',
  })
    .input(
      z.strictObject({
        search: line(254).min(2, 'Type at least two letters').optional(),
        page: z.coerce.number().int().min(1).max(1_000).default(1),
        page_size: z.coerce.number().int().min(1).max(100).default(100),
      }),
    )
    .output(list(personSummary)),

  byUserName: endpoint('GET', '/v1/users/by_user_name/{name}', {
    permission: 'user.view',
    tag: 'Users',
    summary: "A person's profile",
  })
    .input(z.strictObject({ name: userName }))
    .output(publicUser),

  follows: endpoint('GET', '/v1/users/{id}/follows', {
    permission: 'user.view',
    tag: 'Users',
    summary: 'Followers of a user, or whom they follow',
  })
    .input(
      z.strictObject({
        id,
        type: z.enum(['followers', 'following']).default('followers'),
        page: page(1),
        page_size: page(100, 100),
      }),
    )
    .output(list(followedPerson)),

  follow: endpoint('POST', '/v1/users/{id}/follow', {
    permission: 'user.follow',
    tag: 'Users',
    summary: 'Follow a user',
  })
    .input(z.strictObject({ id }))
    .output(publicUser),

  unfollow: endpoint('DELETE', '/v1/users/{id}/follow', {
    permission: 'user.follow',
    tag: 'Users',
    summary: 'Unfollow a user',
  })
    .input(z.strictObject({ id }))
    .output(publicUser),

  inviteFriend: endpoint('POST', '/v1/invites', {
    permission: 'user.invite',
    limit: 'mail',
    keyScope: 'never',
    tag: 'Users',
    summary: 'Invite a friend',
  })
    .input(
      z.strictObject({
        email: email.toLowerCase(),
        invitation_message: text(1_000).default(''),
        referral_code: line(40).optional().describe("The sender's own unless another of theirs is named"),
      }),
    )
    .output(done),
};
