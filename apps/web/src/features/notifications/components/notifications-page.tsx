import {
  type NotificationGroup,
  notificationGroupNames,
  notificationGroups,
} from '@atoll/contract/notifications/declared';
import { Button, Skeleton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { messageOf } from '../../../platform/api-error.ts';
import { LinkButton } from '../../../ui/links.tsx';
import { MoreButton } from '../../../ui/lists/more-button.tsx';
import { Page } from '../../../ui/page.tsx';
import { NothingHere } from '../../../ui/rows.tsx';
import tabs from '../../../ui/styles/tabs.module.css';
import { tabProps } from '../../../ui/tab-props.ts';
import { useSession } from '../../session/queries.ts';
import { useReadAll, useReadNews } from '../live.ts';
import { NewsList } from '../news-list.tsx';
import { allNewsQuery } from '../queries.ts';

export function NotificationsPage({ group }: { group?: NotificationGroup }) {
  const session = useSession();
  const list = useInfiniteQuery({ ...allNewsQuery(group), enabled: !session.is_guest });
  const read = useReadNews(session.id);
  const readAll = useReadAll();
  const news = list.data?.pages.flatMap((page) => page.entries);
  const unread = news?.filter(({ seen_at }) => !seen_at).length ?? 0;
  if (session.is_guest)
    return (
      <Page title="Notifications" width="text">
        <NothingHere>Create an account to get notifications.</NothingHere>
      </Page>
    );
  return (
    <Page
      title="Notifications"
      width="text"
      actions={
        <>
          {unread > 0 && (
            <Button variant="default" loading={readAll.isPending} onClick={() => readAll.mutate(group)}>
              Mark all as read
            </Button>
          )}
          <LinkButton variant="subtle" color="gray" to="/profile" search={{ section: 'preferences' }}>
            Settings
          </LinkButton>
        </>
      }
    >
      <nav aria-label="Which notifications" className={tabs.tabs}>
        <Link to="/notifications" {...tabProps(!group)}>
          All
        </Link>
        {notificationGroupNames.map((each) => (
          <Link key={each} to="/notifications/$group" params={{ group: each }} {...tabProps(group === each)}>
            {notificationGroups[each].label}
          </Link>
        ))}
      </nav>
      {list.error && <NothingHere>{messageOf(list.error)}</NothingHere>}
      {!news && !list.error && [1, 2, 3, 4].map((row) => <Skeleton key={row} height={44} mb={12} />)}
      {news?.length === 0 && (
        <NothingHere>
          {group
            ? `No notifications about ${notificationGroups[group].text.toLowerCase()} yet.`
            : 'Shares, comments, mentions and team events appear here.'}
        </NothingHere>
      )}
      {news && news.length > 0 && <NewsList news={news} label="Notifications" onRead={read} withDays />}
      <MoreButton list={list} mt="md" />
    </Page>
  );
}
