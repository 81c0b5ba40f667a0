import { Menu, UnstyledButton } from '@mantine/core';
import {
  IconHelp,
  IconId,
  IconLogin2,
  IconLogout,
  IconMoon,
  IconSelector,
  IconSettings,
  IconSun,
  IconUserPlus,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { otherMode } from '../../../platform/boot/mode.ts';
import { useTheme } from '../../../ui/theme/theme-context.tsx';
import { useChooseMode } from '../../account/preferences.ts';
import { displayName } from '../../session/model.ts';
import { useSignOut } from '../../session/mutations.ts';
import { PersonAvatar } from '../../session/person-avatar.tsx';
import { useSession } from '../../session/queries.ts';
import { usePlaces } from '../use-places.ts';
import classes from './person-menu.module.css';

export function PersonMenu({ collapsed }: { collapsed: boolean }) {
  const session = useSession();
  const name = displayName(session);
  return (
    <Menu position={collapsed ? 'right-end' : 'top-start'} width={208} withinPortal={false} floatingStrategy="fixed">
      <Menu.Target>
        <UnstyledButton
          className={classes.person}
          data-collapsed={collapsed || undefined}
          aria-label={`${name}, account menu`}
        >
          <PersonAvatar person={session} />
          {!collapsed && (
            <>
              <span className={classes.words}>
                <span className={classes.name}>{name}</span>
                <span className={classes.plan}>{session.is_guest ? 'Not signed in' : session.email}</span>
              </span>
              <IconSelector size={16} aria-hidden className={classes.arrow} />
            </>
          )}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <PersonMenuItems />
      </Menu.Dropdown>
    </Menu>
  );
}

function PersonMenuItems() {
  const session = useSession();
  const { account, about } = usePlaces();
  const theme = useTheme();
  const signOut = useSignOut();
  const { mode, choose } = useChooseMode();
  const next = otherMode(mode);
  const icon = { size: 16, stroke: 1.6 };
  return (
    <>
      {session.is_guest && (
        <>
          <Menu.Item component={Link} to="/sign-in" leftSection={<IconLogin2 {...icon} />}>
            Sign in
          </Menu.Item>
          <Menu.Item component={Link} to="/sign-up" leftSection={<IconUserPlus {...icon} />}>
            Create account
          </Menu.Item>
        </>
      )}
      {!session.is_guest && (
        <Menu.Item component={Link} to={`/users/${session.user_name}` as '/'} leftSection={<IconId {...icon} />}>
          Your page
        </Menu.Item>
      )}
      <Menu.Item component={Link} to="/profile" leftSection={<IconSettings {...icon} />}>
        Settings
      </Menu.Item>
      {account.map(({ label, icon: Icon, to }) => (
        <Menu.Item key={to} component={Link} to={to} leftSection={<Icon {...icon} />}>
          {label}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item
        leftSection={next === 'dark' ? <IconMoon {...icon} /> : <IconSun {...icon} />}
        onClick={() => choose(next)}
      >
        Switch to {theme.theme_names[next]}
      </Menu.Item>
      <Menu.Item component={Link} to="/feedback" leftSection={<IconHelp {...icon} />}>
        Feedback and help
      </Menu.Item>
      {about.map(({ label, icon: Icon, to }) => (
        <Menu.Item key={to} component={Link} to={to} leftSection={<Icon {...icon} />}>
          {label}
        </Menu.Item>
      ))}
      {!session.is_guest && (
        <>
          <Menu.Divider />
          <Menu.Item leftSection={<IconLogout {...icon} />} onClick={() => signOut.mutate()}>
            Sign out
          </Menu.Item>
        </>
      )}
    </>
  );
}
