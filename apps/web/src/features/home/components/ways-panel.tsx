import { Text } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { IconInfoCircle, IconMail, IconPalette, IconUserCircle } from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import { Panel } from '../../../ui/page.tsx';
import { useTheme } from '../../../ui/theme-context.tsx';
import { useSession } from '../../session/queries.ts';
import classes from './dashboard.module.css';

interface Way {
  to: LinkProps['to'];
  icon: Icon;
  title: string;
  text: string;
}

/** What can be opened from here today. */
export function WaysPanel() {
  const { is_admin, is_guest } = useSession();
  const { name } = useTheme();
  const ways: Way[] = [
    is_guest
      ? { to: '/profile', icon: IconUserCircle, title: 'Preferences', text: 'How the workspace looks and behaves.' }
      : {
          to: '/profile',
          icon: IconUserCircle,
          title: 'Your account',
          text: 'Profile, passkeys, sessions and API keys.',
        },
    ...(is_admin
      ? [{ to: '/theme-preview', icon: IconPalette, title: 'Theme', text: 'Name, colours, pictures and texts.' } as Way]
      : []),
    { to: '/about', icon: IconInfoCircle, title: `About ${name}`, text: 'What this is and who runs it.' },
    { to: '/contact-us', icon: IconMail, title: 'Contact', text: 'A question, an idea, a problem.' },
  ];
  return (
    <Panel title="What is here">
      <div className={classes.ways} data-count={ways.length}>
        {ways.map(({ to, icon: Icon, title, text }) => (
          <Link key={title} to={to} className={classes.way}>
            <Icon size={18} stroke={1.6} aria-hidden />
            <span>
              <strong>{title}</strong>
              <Text component="span" size="sm" c="dimmed">
                {text}
              </Text>
            </span>
          </Link>
        ))}
      </div>
    </Panel>
  );
}
