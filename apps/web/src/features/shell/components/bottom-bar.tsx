import { UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMenu2, IconSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../../platform/features/lazy-part.ts';
import type { Place } from '../model.ts';
import { usePlaces } from '../use-places.ts';
import classes from './bottom-bar.module.css';

const MoreSheet = lazyPart(() => import('./more-sheet.tsx'), 'MoreSheet');

const isHome = ({ to }: Place) => to === '/dashboard';

/** The rail of a phone: what fits under a thumb, the rest in a sheet. */
export function BottomBar({ onSearch }: { onSearch: () => void }) {
  const [opened, { open, close }] = useDisclosure();
  const [asked, setAsked] = useState(false);
  const openSheet = () => {
    setAsked(true);
    open();
  };
  const { groups, account, about } = usePlaces();
  const all = groups.flatMap(({ places }) => places);
  const main = [...all.filter(isHome), ...all.filter((place) => !isHome(place))];
  return (
    <>
      <nav className={classes.bar} aria-label="Main, phone">
        {main.slice(0, 3).map(({ label, icon: Icon, to }) => (
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
        <UnstyledButton className={classes.place} onClick={openSheet} aria-haspopup="dialog">
          <IconMenu2 size={20} stroke={1.6} aria-hidden />
          More
        </UnstyledButton>
      </nav>
      {asked && (
        <Suspense>
          <MoreSheet rest={[...main.slice(3), ...account, ...about]} opened={opened} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
