import { Drawer, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMenu2, IconSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useSession } from '../../session/queries.ts';
import { places, visible } from '../model.ts';
import classes from './bottom-bar.module.css';
import { MoreSheet } from './more-sheet.tsx';

/** The rail of a phone: what fits under a thumb, the rest in a sheet. */
export function BottomBar({ onSearch }: { onSearch: () => void }) {
  const [opened, { open, close }] = useDisclosure();
  const entries = visible(places, useSession());
  return (
    <>
      <nav className={classes.bar} aria-label="Main, phone">
        {entries.slice(0, 3).map(({ label, icon: Icon, to }) => (
          <Link
            key={to}
            to={to}
            className={classes.place}
            activeProps={{ 'data-active': true, 'aria-current': 'page' }}
          >
            <Icon size={20} stroke={1.6} aria-hidden />
            {label}
          </Link>
        ))}
        <UnstyledButton className={classes.place} onClick={onSearch}>
          <IconSearch size={20} stroke={1.6} aria-hidden />
          Search
        </UnstyledButton>
        <UnstyledButton className={classes.place} onClick={open} aria-haspopup="dialog">
          <IconMenu2 size={20} stroke={1.6} aria-hidden />
          More
        </UnstyledButton>
      </nav>
      <Drawer
        opened={opened}
        onClose={close}
        position="bottom"
        size="auto"
        title="More"
        classNames={{ content: classes.sheet }}
      >
        <MoreSheet rest={entries.slice(3)} onLeave={close} />
      </Drawer>
    </>
  );
}
