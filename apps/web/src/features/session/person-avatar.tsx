import type { Session } from '@atoll/contract/session/entity';
import { initialsOf } from '@atoll/contract/users/names';
import { Avatar } from '@mantine/core';
import { IconUser } from '@tabler/icons-react';
import { displayName } from './model.ts';

export function PersonAvatar({ person, size = 28 }: { person: Session; size?: number }) {
  const mark = person.is_guest ? (
    <IconUser size={size * 0.55} />
  ) : (
    (person.avatar_icon ?? initialsOf(displayName(person)))
  );
  return (
    <Avatar src={person.avatar} alt="" size={size} color="primary" variant="light" radius={999}>
      <span aria-hidden>{mark}</span>
    </Avatar>
  );
}
