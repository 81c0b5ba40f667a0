import type { Visibility } from '@atoll/contract/projects/access';
import { type Icon, IconLock, IconLockOpen2, IconWorld } from '@tabler/icons-react';

export const visibilityWords: Record<Visibility, { label: string; text: string; icon: Icon }> = {
  private: { label: 'Private', text: 'Only you and people you share it with', icon: IconLock },
  public: { label: 'Public', text: 'Everyone can see the project and its publications', icon: IconWorld },
  open: { label: 'Open', text: 'Everyone can also read and clone it', icon: IconLockOpen2 },
};

export function VisibilityMark({ visibility }: { visibility: Visibility }) {
  const { label, icon: Icon } = visibilityWords[visibility];
  return (
    <span title={label}>
      <Icon size={13} stroke={1.8} role="img" aria-label={label} />
    </span>
  );
}
