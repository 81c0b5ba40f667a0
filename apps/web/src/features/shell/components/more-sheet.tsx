import '@mantine/core/styles/Drawer.layer.css';
import { Button, Divider, Drawer, Stack } from '@mantine/core';
import { IconLogin2, IconLogout, IconMoon, IconSettings, IconSun, IconUserPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { otherMode } from '../../../platform/boot/mode.ts';
import { lazyPart } from '../../../platform/features/lazy-part.ts';
import { LinkButton } from '../../../ui/links.tsx';
import { useTheme } from '../../../ui/theme/theme-context.tsx';
import { useChooseMode } from '../../account/preferences.ts';
import { quotaQuery } from '../../quota/queries.ts';
import { QuotaDetails } from '../../quota/quota-details.tsx';
import { useSignOut } from '../../session/mutations.ts';
import { useSession } from '../../session/queries.ts';
import type { Place } from '../model.ts';
import classes from './more-sheet.module.css';

const RunningServers = lazyPart(() => import('../../kernels/running-servers.tsx'), 'RunningServers');

const icon = { size: 18, stroke: 1.6 };
const row = { variant: 'subtle', color: 'gray', justify: 'flex-start', fullWidth: true, size: 'md' } as const;

interface MoreSheetProps {
  rest: Place[];
  opened: boolean;
  onClose(): void;
}

export function MoreSheet({ rest, opened, onClose }: MoreSheetProps) {
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="bottom"
      size="auto"
      title="More"
      classNames={{ content: classes.sheet }}
    >
      <QuotaPanel />
      <MoreRows rest={rest} onLeave={onClose} />
    </Drawer>
  );
}

function QuotaPanel() {
  const { data: quota } = useQuery(quotaQuery);
  return (
    quota && (
      <section aria-label="Usage" className={classes.quota}>
        <QuotaDetails quota={quota}>
          <Suspense>
            <RunningServers />
          </Suspense>
        </QuotaDetails>
      </section>
    )
  );
}

function MoreRows({ rest, onLeave }: { rest: Place[]; onLeave: () => void }) {
  const session = useSession();
  const theme = useTheme();
  const { mode, choose } = useChooseMode();
  const signOut = useSignOut();
  return (
    <Stack gap={2} onClick={onLeave}>
      {rest.map(({ label, icon: Icon, to }) => (
        <LinkButton key={to} {...row} to={to} leftSection={<Icon {...icon} />}>
          {label}
        </LinkButton>
      ))}
      <Divider my={8} />
      <Button
        {...row}
        leftSection={mode === 'light' ? <IconMoon {...icon} /> : <IconSun {...icon} />}
        onClick={() => choose(otherMode(mode))}
      >
        Switch to {theme.theme_names[otherMode(mode)]}
      </Button>
      <LinkButton {...row} to="/profile" leftSection={<IconSettings {...icon} />}>
        Settings
      </LinkButton>
      {session.is_guest ? (
        <>
          <LinkButton {...row} to="/sign-in" leftSection={<IconLogin2 {...icon} />}>
            Sign in
          </LinkButton>
          <LinkButton {...row} to="/sign-up" leftSection={<IconUserPlus {...icon} />}>
            Create account
          </LinkButton>
        </>
      ) : (
        <Button {...row} leftSection={<IconLogout {...icon} />} onClick={() => signOut.mutate()}>
          Sign out
        </Button>
      )}
    </Stack>
  );
}
