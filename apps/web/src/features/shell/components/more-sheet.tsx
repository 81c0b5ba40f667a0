import '@mantine/core/styles/Drawer.layer.css';
import { Button, Divider, Drawer, Stack } from '@mantine/core';
import { otherMode } from '../../../platform/mode.ts';
import { LinkButton } from '../../../ui/links.tsx';
import { useTheme } from '../../../ui/theme-context.tsx';
import { useChooseMode } from '../../account/preferences.ts';
import { useSignOut } from '../../session/mutations.ts';
import { useSession } from '../../session/queries.ts';
import { footPlaces, type NavEntry } from '../model.ts';
import classes from './more-sheet.module.css';

const row = { variant: 'subtle', color: 'gray', justify: 'flex-start', fullWidth: true, size: 'md' } as const;

interface MoreSheetProps {
  rest: NavEntry[];
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
      <MoreRows rest={rest} onLeave={onClose} />
    </Drawer>
  );
}

function MoreRows({ rest, onLeave }: { rest: NavEntry[]; onLeave: () => void }) {
  const session = useSession();
  const theme = useTheme();
  const { mode, choose } = useChooseMode();
  const signOut = useSignOut();
  return (
    <Stack gap={2} onClick={onLeave}>
      {[...rest, ...footPlaces].map(({ label, icon: Icon, to }) => (
        <LinkButton key={to} {...row} to={to} leftSection={<Icon size={18} stroke={1.6} />}>
          {label}
        </LinkButton>
      ))}
      <Divider my={8} />
      <Button {...row} onClick={() => choose(otherMode(mode))}>
        Switch to {theme.theme_names[otherMode(mode)]}
      </Button>
      <LinkButton {...row} to="/profile">
        {session.is_guest ? 'Preferences' : 'Profile'}
      </LinkButton>
      {session.is_guest ? (
        <>
          <LinkButton {...row} to="/sign-in">
            Sign in
          </LinkButton>
          <LinkButton {...row} to="/sign-up">
            Sign up
          </LinkButton>
        </>
      ) : (
        <Button {...row} onClick={() => signOut.mutate()}>
          Sign out
        </Button>
      )}
    </Stack>
  );
}
