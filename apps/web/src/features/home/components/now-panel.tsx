import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Panel } from '../../../ui/page.tsx';
import { RunningServers } from '../../kernels/running-servers.tsx';
import { quotaQuery } from '../../quota/queries.ts';
import { QuotaDetails } from '../../quota/quota-details.tsx';

/** What runs, and how much more can. */
export function NowPanel() {
  const { data: quota } = useQuery(quotaQuery);
  return (
    <Panel title="Usage">
      {quota ? (
        <QuotaDetails quota={quota}>
          <RunningServers />
        </QuotaDetails>
      ) : (
        <Skeleton height={160} />
      )}
    </Panel>
  );
}
