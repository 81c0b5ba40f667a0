import type { TeamDetail } from '@atoll/contract/teams/entity';
import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { messageOf } from '../../../platform/api-error.ts';
import { Panel } from '../../../ui/page.tsx';
import { NothingHere } from '../../../ui/rows.tsx';
import { NewsList } from '../../notifications/news-list.tsx';
import { teamFeedQuery } from '../queries.ts';

export function TeamFeed({ team }: { team: TeamDetail }) {
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(teamFeedQuery(team.id));
  const news = data?.pages.flatMap((page) => page.entries);
  return (
    <Panel title="Activity">
      {error && <NothingHere>{messageOf(error)}</NothingHere>}
      {news?.length === 0 && <NothingHere>New members and shared projects appear here.</NothingHere>}
      {news && news.length > 0 && <NewsList news={news} label="Activity in this team" isOnTeamPage />}
      {hasNextPage && (
        <Button variant="default" mt="sm" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </Panel>
  );
}
