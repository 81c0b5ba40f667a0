import { Button, Group } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { messageOf } from '../../platform/api-error.ts';
import { NothingHere } from '../../ui/rows.tsx';
import { PublicationCards } from './components/publication-cards.tsx';
import { type PublicationsOf, publicationsOfQuery } from './queries.ts';

interface ListedPublicationsProps {
  of: PublicationsOf;
  /** What is said where there are none. */
  children: ReactNode;
}

/** Cards, the newest first, or why there are none. */
export function ListedPublications({ of, children }: ListedPublicationsProps) {
  const list = useInfiniteQuery(publicationsOfQuery(of));
  const publications = list.data?.pages.flatMap(({ entries }) => entries);
  if (list.error) return <NothingHere>{messageOf(list.error)}</NothingHere>;
  if (publications?.length === 0) return <NothingHere>{children}</NothingHere>;
  return (
    <>
      <PublicationCards publications={publications} />
      {list.hasNextPage && (
        <Group justify="center" mt="lg">
          <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        </Group>
      )}
    </>
  );
}
