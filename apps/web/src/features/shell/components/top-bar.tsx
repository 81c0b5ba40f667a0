import { Kbd, UnstyledButton } from '@mantine/core';
import { useNetwork, useOs } from '@mantine/hooks';
import { IconSearch, IconWifiOff } from '@tabler/icons-react';
import { Breadcrumbs } from './breadcrumbs.tsx';
import classes from './top-bar.module.css';

export function TopBar({ onSearch }: { onSearch: () => void }) {
  const { online } = useNetwork();
  const os = useOs();
  const isApple = os === 'macos' || os === 'ios';
  return (
    <header className={classes.bar}>
      <Breadcrumbs />
      {!online && (
        <span className={classes.offline} role="status">
          <IconWifiOff size={15} aria-hidden /> Offline. What you change is sent when you are back.
        </span>
      )}
      <UnstyledButton className={classes.search} onClick={onSearch} aria-keyshortcuts="Control+K Meta+K">
        <IconSearch size={15} aria-hidden />
        <span>Search and commands</span>
        <Kbd size="xs" aria-hidden>
          {isApple ? '⌘' : 'Ctrl'} K
        </Kbd>
      </UnstyledButton>
    </header>
  );
}
