import type { PublicUser } from '@atoll/contract/users/entity';
import { personName } from '@atoll/contract/users/names';
import { useInfiniteQuery } from '@tanstack/react-query';
import { messageOf } from '../../../platform/api-error.ts';
import { MoreButton } from '../../../ui/lists/more-button.tsx';
import { Panel } from '../../../ui/page.tsx';
import { NothingHere, Rows } from '../../../ui/rows.tsx';
import { useSession } from '../../session/queries.ts';
import { PersonLine } from '../person-line.tsx';
import { followsQuery } from '../queries.ts';
import { FollowButton } from './follow-button.tsx';
import classes from './profile.module.css';

export function FollowList({ user, type }: { user: PublicUser; type: 'followers' | 'following' }) {
  const session = useSession();
  const list = useInfiniteQuery(followsQuery(user.id, type));
  const people = list.data?.pages.flatMap((page) => page.entries);
  const title = type === 'followers' ? 'Followers' : 'Following';
  const isMe = user.id === session.id;
  const [have, follow] = isMe ? ['You have', 'You follow'] : [`${personName(user)} has`, `${personName(user)} follows`];
  return (
    <Panel title={title}>
      {list.error && <NothingHere>{messageOf(list.error)}</NothingHere>}
      {people?.length === 0 && (
        <NothingHere>{type === 'followers' ? `${have} no followers yet.` : `${follow} no one yet.`}</NothingHere>
      )}
      <Rows label={title}>
        {people?.map((person) => (
          <li key={person.id} className={classes.row}>
            <PersonLine
              person={person}
              isLink
              detail={person.headline || undefined}
              action={
                !session.is_guest &&
                person.id !== session.id && (
                  <FollowButton id={person.id} isFollowed={person.is_followed_by_you} isInList />
                )
              }
            />
          </li>
        ))}
      </Rows>
      <MoreButton list={list} mt="sm" />
    </Panel>
  );
}
