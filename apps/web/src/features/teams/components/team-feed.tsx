import type { TeamDetail } from '@atoll/contract/teams/entity';
import { useInfiniteQuery } from '@tanstack/react-query';
import { messageOf } from '../../../platform/api-error.ts';
import { MoreButton } from '../../../ui/lists/more-button.tsx';
import { Panel } from '../../../ui/page.tsx';
import { NothingHere } from '../../../ui/rows.tsx';
import { NewsList } from '../../notifications/news-list.tsx';
import { teamFeedQuery } from '../queries.ts';

export function TeamFeed({ team }: { team: TeamDetail }) {
  const list = useInfiniteQuery(teamFeedQuery(team.id));
  const news = list.data?.pages.flatMap((page) => page.entries);
  return (
    <Panel title="Activity">
      {list.error && <NothingHere>{messageOf(list.error)}</NothingHere>}
      {news?.length === 0 && <NothingHere>New members and shared projects appear here.</NothingHere>}
      {news && news.length > 0 && <NewsList news={news} label="Activity in this team" isOnTeamPage />}
      <MoreButton list={list} mt="sm" />
    </Panel>
  );
}
