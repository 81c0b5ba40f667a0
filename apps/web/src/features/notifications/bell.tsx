import { ActionIcon, Button, Popover, Tooltip } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { TextLink } from '../../ui/links.tsx';
import { NothingHere } from '../../ui/rows.tsx';
import { useSession } from '../session/queries.ts';
import classes from './components/news.module.css';
import { useNewsLive, useReadAll, useReadNews } from './live.ts';
import { NewsList } from './news-list.tsx';
import { newsQuery } from './queries.ts';

/** How many are unread, at any time; the newest of them one press away. */
export function Bell() {
  const session = useSession();
  const isOn = session.features?.notifications?.enabled === true;
  return isOn && !session.is_guest ? <LiveBell userId={session.id} /> : null;
}

function LiveBell({ userId }: { userId: string }) {
  const { data } = useQuery(newsQuery);
  const [opened, setOpened] = useState(false);
  useNewsLive(userId);
  const read = useReadNews(userId);
  const readAll = useReadAll();
  const unread = data?.unread_count ?? 0;
  const label = unread ? `Notifications, ${unread} unread` : 'Notifications';
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" width={380} trapFocus returnFocus>
      <Popover.Target>
        <Tooltip label="Notifications" disabled={opened}>
          <ActionIcon
            className={classes.bell}
            size={32}
            aria-label={label}
            aria-expanded={opened}
            onClick={() => setOpened(!opened)}
          >
            <IconBell size={18} stroke={1.6} />
            {unread > 0 && (
              <span className={classes.count} aria-hidden>
                {unread > 99 ? '99+' : unread}
              </span>
            )}
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown p={4} aria-label="Notifications">
        <div className={classes.head}>
          <h2>Notifications</h2>
          {unread > 0 && (
            <Button size="compact-xs" variant="subtle" onClick={() => readAll.mutate(undefined)}>
              Mark all as read
            </Button>
          )}
        </div>
        <div className={classes.pop}>
          {data?.entries.length === 0 && (
            <NothingHere>Shares, comments, mentions and team events appear here.</NothingHere>
          )}
          {data && data.entries.length > 0 && (
            <NewsList
              news={data.entries}
              label="Newest notifications"
              onRead={(ids) => {
                read(ids);
                setOpened(false);
              }}
            />
          )}
        </div>
        <div className={classes.foot}>
          <TextLink to="/notifications" onClick={() => setOpened(false)}>
            All notifications
          </TextLink>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
