import { Button, Skeleton, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { LoadProblem } from '../../../ui/empty-state.tsx';
import { Panel } from '../../../ui/page.tsx';
import { NothingHere, Row, Rows } from '../../../ui/rows.tsx';
import { When } from '../../../ui/when.tsx';
import { kindWords, unitWords } from '../../wallet/model.ts';
import { walletOfQuery } from '../queries.ts';

/** What came into a person's wallet and went out of it, newest first. */
export function UserWallet({ userId }: { userId: string }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    walletOfQuery(userId),
  );
  const entries = data?.pages.flatMap((page) => page.entries);
  return (
    <Panel title="Wallet" aside={data && <Text size="sm">{unitWords(data.pages[0]?.balance ?? 0)}</Text>}>
      {error && <LoadProblem error={error} onRetry={refetch} />}
      {!entries && !error && <Skeleton height={60} />}
      {entries?.length === 0 && <NothingHere>No entries yet.</NothingHere>}
      {entries && entries.length > 0 && (
        <Rows label="Wallet entries">
          {entries.map(({ id, kind, note, date, amount, balance }) => (
            <Row
              key={id}
              title={kindWords[kind]}
              detail={
                <>
                  {note && `${note} · `}
                  <When time={date} />
                </>
              }
              action={
                <Text size="sm">
                  {unitWords(amount)}, then {unitWords(balance)}
                </Text>
              }
            />
          ))}
        </Rows>
      )}
      {hasNextPage && (
        <Button variant="default" size="xs" mt="sm" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </Panel>
  );
}
