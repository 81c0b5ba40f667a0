import { Kbd, UnstyledButton } from '@mantine/core';
import { useOs } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { Suspense } from 'react';
import { lazyPart } from '../../../platform/features/lazy-part.ts';
import { QuotaMeter } from '../../quota/quota-meter.tsx';
import { Breadcrumbs } from './breadcrumbs.tsx';
import { ConnectionMark } from './connection-mark.tsx';
import classes from './top-bar.module.css';

const Bell = lazyPart(() => import('../../notifications/bell.tsx'), 'Bell');
const RunningServers = lazyPart(() => import('../../kernels/running-servers.tsx'), 'RunningServers');

export function TopBar({ onSearch }: { onSearch: () => void }) {
  const os = useOs();
  const isApple = os === 'macos' || os === 'ios';
  return (
    <header className={classes.bar}>
      <Breadcrumbs />
      <ConnectionMark />
      <QuotaMeter>
        <Suspense>
          <RunningServers />
        </Suspense>
      </QuotaMeter>
      <UnstyledButton className={classes.search} onClick={onSearch} aria-keyshortcuts="Control+K Meta+K">
        <IconSearch size={15} aria-hidden />
        <span>Search and commands</span>
        <Kbd size="xs" aria-hidden>
          {isApple ? '⌘' : 'Ctrl'} K
        </Kbd>
      </UnstyledButton>
      <Suspense>
        <Bell />
      </Suspense>
    </header>
  );
}
