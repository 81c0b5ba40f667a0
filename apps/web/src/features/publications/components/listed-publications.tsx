import type { Publication } from '@atoll/contract/publications/entity';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { messageOf } from '../../../platform/api-error.ts';
import { NothingHere } from '../../../ui/rows.tsx';
import { PublicationCards } from './publication-cards.tsx';

/** Cards, or why there are none. */
export function ListedPublications({
  list: { data, error },
  children,
}: {
  list: UseQueryResult<{ entries: Publication[] }>;
  children: ReactNode;
}) {
  if (error) return <NothingHere>{messageOf(error)}</NothingHere>;
  if (data?.entries.length === 0) return <NothingHere>{children}</NothingHere>;
  return <PublicationCards publications={data?.entries} />;
}
