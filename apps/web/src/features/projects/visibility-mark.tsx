import type { Visibility } from '@atoll/contract/projects/access';
import { type Icon, IconLock, IconLockOpen2, IconNews, IconWorld } from '@tabler/icons-react';

export const visibilityWords: Record<Visibility, { label: string; text: string; icon: Icon }> = {
  private: { label: 'Private', text: 'Only people with access', icon: IconLock },
  public: { label: 'Public', text: 'Everyone can see the project and its files', icon: IconWorld },
  open: { label: 'Open', text: 'Everyone can also clone it', icon: IconLockOpen2 },
};

export const visibilityText = (visibility: Visibility, hidesSource: boolean): string =>
  visibility === 'public' && hidesSource
    ? 'Everyone can see it and what it publishes, not its files'
    : visibilityWords[visibility].text;

export function VisibilityMark({ visibility }: { visibility: Visibility }) {
  const { label, icon: Icon } = visibilityWords[visibility];
  return (
    <span title={label}>
      <Icon size={13} stroke={1.8} role="img" aria-label={label} />
    </span>
  );
}

export const PublishedMark = () => (
  <span title="Published">
    <IconNews size={13} stroke={1.8} role="img" aria-label="Published" />
  </span>
);
