import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../../platform/api-error.ts';
import { TextLink } from '../../../ui/links.tsx';
import { Panel } from '../../../ui/page.tsx';
import { NothingHere } from '../../../ui/rows.tsx';
import { useReadNews } from '../../notifications/live.ts';
import { NewsList } from '../../notifications/news-list.tsx';
import { newsQuery } from '../../notifications/queries.ts';
import { useSession } from '../../session/queries.ts';

const shown = 5;

/** What others did that concerns me. */
export function NewsPanel() {
  const session = useSession();
  const { data, error } = useQuery({ ...newsQuery, enabled: !session.is_guest });
  const read = useReadNews(session.id);
  if (session.is_guest) return null;
  return (
    <Panel
      title="Activity"
      aside={data && data.total > shown ? <TextLink to="/notifications">All</TextLink> : undefined}
    >
      {error && <NothingHere>{messageOf(error)}</NothingHere>}
      {!data && !error && <Skeleton height={120} />}
      {data?.total === 0 && <NothingHere>Shares, comments and new followers appear here.</NothingHere>}
      {data && data.total > 0 && <NewsList news={data.entries.slice(0, shown)} label="Activity" onRead={read} />}
    </Panel>
  );
}
