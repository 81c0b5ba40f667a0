import { done, endpoints, pageOf } from '../../platform/http/implement.ts';
import { follow, listFollows, unfollow, viewProfile } from './follows.ts';
import { inviteFriend } from './friends.ts';
import { findPeople } from './search.ts';
import { followedView, personView, profileView } from './view.ts';

const { users } = endpoints;

export const userRoutes = {
  list: users.list.handler(async ({ context, input }) => {
    const { people, total } = await findPeople(context, input);
    return pageOf(input, { entries: people.map(personView), total });
  }),
  byUserName: users.byUserName.handler(async ({ context, input }) =>
    profileView(context, await viewProfile(context, input.name)),
  ),
  follows: users.follows.handler(async ({ context, input: { id, ...query } }) => {
    const { people, total } = await listFollows(context, id, query);
    return pageOf(query, { entries: people.map(followedView), total });
  }),
  follow: users.follow.handler(async ({ context, input }) => profileView(context, await follow(context, input.id))),
  unfollow: users.unfollow.handler(async ({ context, input }) =>
    profileView(context, await unfollow(context, input.id)),
  ),
  inviteFriend: users.inviteFriend.handler(({ context, input }) => done(inviteFriend(context, input))),
};
