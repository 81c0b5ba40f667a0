import { personName } from '@atoll/contract/users/names';
import { useDebouncedValue } from '@mantine/hooks';
import { IconNews } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { UseCommands } from '../../platform/features/web-feature.ts';
import { useSession } from '../session/queries.ts';
import { readingRoute, typeWords } from './model.ts';
import { publicationSearchQuery } from './queries.ts';

/** Public publications that fit, in the command palette. */
export const usePublicationCommands: UseCommands = (query) => {
  const router = useRouter();
  const isOn = useSession().features?.publications?.enabled === true;
  const [search] = useDebouncedValue(query.trim(), 200);
  const { data, isPlaceholderData } = useQuery(publicationSearchQuery(isOn ? search : ''));
  const found = search.length > 1 ? (data?.entries ?? []) : [];
  return [
    {
      group: 'Publications',
      actions: found.map(({ id, slug, title, type, owner, content_kind }) => ({
        id: `publication-${id}`,
        label: title,
        description: `${typeWords[type].one} by ${personName(owner)}`,
        // The server decides what fits; the palette filters only what was found for something else.
        keywords: isPlaceholderData ? [] : [query],
        leftSection: <IconNews size={18} stroke={1.6} />,
        onClick: () => void router.navigate({ to: readingRoute(content_kind), params: { slug } }),
      })),
    },
  ];
};
