import { Tooltip, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { readLocal, writeLocal } from '../../../platform/storage.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { LogoMark, LogoWithName } from '../../../ui/theme/logo.tsx';
import { useTheme } from '../../../ui/theme/theme-context.tsx';
import type { Place, PlaceGroup } from '../model.ts';
import { usePlaces } from '../use-places.ts';
import { PersonMenu } from './person-menu.tsx';
import classes from './rail.module.css';

export function Rail({ collapsed, onToggle }: { collapsed: boolean; onToggle: () => void }) {
  const { groups } = usePlaces();
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
        {groups.map((group) => (
          <Group key={group.id} group={group} isRailCollapsed={collapsed} />
        ))}
      </nav>
      <PersonMenu collapsed={collapsed} />
    </aside>
  );
}

const closedKey = 'closed_groups';
const readClosed = () => new Set((readLocal(closedKey) ?? '').split(',').filter(Boolean));

function Group({ group: { id, label, places }, isRailCollapsed }: { group: PlaceGroup; isRailCollapsed: boolean }) {
  const [isClosed, setClosed] = useState(() => readClosed().has(id));
  const toggle = () => {
    const closed = readClosed();
    if (isClosed) closed.delete(id);
    else closed.add(id);
    writeLocal(closedKey, [...closed].join(','));
    setClosed(!isClosed);
  };
  if (isRailCollapsed)
    return (
      <div className={classes.group}>
        <Places entries={places} collapsed />
      </div>
    );
  return (
    <section className={classes.group} aria-label={label}>
      <UnstyledButton className={classes.groupHead} aria-expanded={!isClosed} onClick={toggle}>
        {label}
        <IconChevronDown size={13} aria-hidden />
      </UnstyledButton>
      {!isClosed && <Places entries={places} collapsed={false} />}
    </section>
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
