import { Button } from '@mantine/core';
import { useFollow } from '../queries.ts';

interface FollowButtonProps {
  id: string;
  isFollowed: boolean;
  /** One of many in a list, where none is the main thing to do. */
  isInList?: boolean;
}

export function FollowButton({ id, isFollowed, isInList }: FollowButtonProps) {
  const follow = useFollow();
  const isOn = follow.isPending ? follow.variables.isFollowing : isFollowed;
  return (
    <Button
      size={isInList ? 'xs' : 'sm'}
      variant={isOn ? 'default' : isInList ? 'light' : 'filled'}
      aria-pressed={isOn}
      onClick={() => follow.mutate({ id, isFollowing: !isOn })}
    >
      {isOn ? 'Following' : 'Follow'}
    </Button>
  );
}
