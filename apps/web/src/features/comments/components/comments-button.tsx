import type { ProjectDetail } from '@atoll/contract/projects/entity';
import { ActionIcon, Tooltip } from '@mantine/core';
import { IconMessageCircle } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';

/** Whether the panel is open is in the address, so that a link can lead into it. */
export function useCommentsShown(): { isShown: boolean; toggle(): void } {
  const navigate = useNavigate();
  const { panel } = useSearch({ strict: false }) as { panel?: string };
  const isShown = panel === 'comments';
  const toggle = () =>
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, panel: isShown ? undefined : ('comments' as const) }),
    });
  return { isShown, toggle };
}

export function CommentsButton({ project }: { project: ProjectDetail }) {
  const { isShown, toggle } = useCommentsShown();
  const count = project.stats.comment_count;
  const label = count ? `Comments (${count})` : 'Comments';
  return (
    <Tooltip label={label}>
      <ActionIcon
        size={32}
        aria-label={label}
        aria-pressed={isShown}
        variant={isShown ? 'light' : 'subtle'}
        onClick={toggle}
      >
        <IconMessageCircle size={18} stroke={1.6} />
      </ActionIcon>
    </Tooltip>
  );
}
