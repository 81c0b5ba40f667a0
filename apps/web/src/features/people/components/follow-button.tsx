import { Button } from '@mantine/core';
import { useFollow } from '../queries.ts';

export function FollowButton({ id, isFollowed, size = 'sm' }: { id: string; isFollowed: boolean; size?: string }) {
  const follow = useFollow();
  const isOn = follow.isPending ? follow.variables.isFollowing : isFollowed;
  return (
    <Button
      size={size}
      variant={isOn ? 'default' : 'filled'}
      aria-pressed={isOn}
      onClick={() => follow.mutate({ id, isFollowing: !isOn })}
    >
      {isOn ? 'Following' : 'Follow'}
    </Button>
  );
}
