import { Tooltip } from '@mantine/core';
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { LogoMark, LogoWithName } from '../../../ui/theme/logo.tsx';
import { useTheme } from '../../../ui/theme/theme-context.tsx';
import type { Place } from '../model.ts';
import { usePlaces } from '../use-places.ts';
import { PersonMenu } from './person-menu.tsx';
import classes from './rail.module.css';

export function Rail({ collapsed, onToggle }: { collapsed: boolean; onToggle: () => void }) {
  const { main, foot } = usePlaces();
  const { name } = useTheme();
  const label = collapsed ? 'Expand sidebar' : 'Collapse sidebar';
  return (
    <aside className={classes.rail} data-collapsed={collapsed || undefined} aria-label="Sidebar">
      <div className={classes.head}>
        <Link to="/" className={classes.logo} aria-label={`${name}, start`}>
          {collapsed ? <LogoMark /> : <LogoWithName />}
        </Link>
        <IconButton label={label} position="right" onClick={onToggle} aria-expanded={!collapsed} size={28}>
          {collapsed ? <IconLayoutSidebarLeftExpand size={17} /> : <IconLayoutSidebarLeftCollapse size={17} />}
        </IconButton>
      </div>
      <nav aria-label="Main" className={classes.places}>
        <Places entries={main} collapsed={collapsed} />
      </nav>
      <nav aria-label="More" className={classes.foot}>
        <Places entries={foot} collapsed={collapsed} />
      </nav>
      <PersonMenu collapsed={collapsed} />
    </aside>
  );
}

function Places({ entries, collapsed }: { entries: Place[]; collapsed: boolean }) {
  return entries.map(({ label, icon: Icon, to }) => (
    <Tooltip key={to} label={label} position="right" disabled={!collapsed}>
      <Link
        to={to}
        className={classes.place}
        aria-label={collapsed ? label : undefined}
        activeProps={{ 'data-active': true, 'aria-current': 'page' }}
      >
        <Icon size={18} stroke={1.6} aria-hidden />
        {!collapsed && <span>{label}</span>}
      </Link>
    </Tooltip>
  ));
}
