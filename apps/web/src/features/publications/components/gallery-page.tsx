import { EmptyState, LoadProblem } from '../../../ui/empty-state.tsx';
import { PageLinks } from '../../../ui/page-links.tsx';
import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import type { PublicationCategory, PublicationType } from '@atoll/contract/publications/entity';
import { Button, MultiSelect, NativeSelect, Text } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { client } from '../../../platform/client.ts';
import { LinkButton } from '../../../ui/links.tsx';
import { Page } from '../../../ui/page.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import tabs from '../../../ui/styles/tabs.module.css';
import { toast, toastError } from '../../../ui/toast.ts';
import { tagsQuery } from '../../projects/queries.ts';
import { useSession } from '../../session/queries.ts';
import {
  categoryWords,
  counted,
  type GalleryPlace,
  type GallerySearch,
  gallerySorts,
  placeName,
  publicationsOnPage,
  typeWords,
} from '../model.ts';
import { publicationCountsQuery, publicationListQuery } from '../queries.ts';
import classes from './gallery.module.css';
import { PublicationCards } from './publication-cards.tsx';

interface GalleryProps {
  place: GalleryPlace;
  search: GallerySearch;
}

const types = Object.keys(typeWords) as PublicationType[];
const categories = Object.keys(categoryWords) as PublicationCategory[];
/** These can be published already; others are offered once there are some. */
const usual: PublicationType[] = ['article', 'report', 'dashboard'];

export function GalleryPage({ place, search }: GalleryProps) {
  const list = useQuery(publicationListQuery(place, search));
  const counts = useQuery(publicationCountsQuery(search)).data;
  return (
    <Page title="Publications" description="Articles, reports and dashboards from this community." width="wide">
      <nav aria-label="Types" className={tabs.tabs}>
        <PlaceLink place={{ ...place, type: undefined }} search={search} isShown={!place.type} className={tabs.tab}>
          All
        </PlaceLink>
        {types
          .filter((type) => usual.includes(type) || type === place.type || counts?.types[type])
          .map((type) => (
            <PlaceLink
              key={type}
              place={{ ...place, type }}
              search={search}
              isShown={place.type === type}
              className={tabs.tab}
            >
              {typeWords[type].many}
              <Count count={counts?.types[type]} />
            </PlaceLink>
          ))}
      </nav>
      <Tools place={place} search={search} />
      <nav aria-label="Categories" className={classes.chips}>
        <PlaceLink
          place={{ ...place, category: undefined }}
          search={search}
          isShown={!place.category}
          className={classes.chip}
        >
          All categories
        </PlaceLink>
        {categories
          .filter((category) => category === place.category || counts?.categories[category])
          .map((category) => (
            <PlaceLink
              key={category}
              place={{ ...place, category }}
              search={search}
              isShown={place.category === category}
              className={classes.chip}
            >
              {categoryWords[category]}
              <Count count={counts?.categories[category]} />
            </PlaceLink>
          ))}
      </nav>
      {list.error ? (
        <LoadProblem isLarge error={list.error} onRetry={list.refetch} />
      ) : list.data?.entries.length === 0 ? (
        <Empty place={place} search={search} />
      ) : (
        <PublicationCards publications={list.data?.entries} />
      )}
      {list.data && list.data.total > 0 && (
        <PageLinks page={search.page ?? 0} size={publicationsOnPage} total={list.data.total}>
          <span role="status">{counted(list.data.total, 'publication')}</span>
        </PageLinks>
      )}
    </Page>
  );
}

const Count = ({ count }: { count: number | undefined }) =>
  count ? <span className={tabs.count}>{count.toLocaleString('en')}</span> : null;

interface PlaceLinkProps extends GalleryProps {
  isShown?: boolean;
  className?: string;
  children: ReactNode;
}

/** Each type and category has an address of its own. */
function PlaceLink({ place: { type, category }, search, isShown, className, children }: PlaceLinkProps) {
  const shared = {
    search: { ...search, page: undefined },
    className,
    'data-active': isShown || undefined,
    'aria-current': isShown ? ('page' as const) : undefined,
    children,
  };
  if (type && category)
    return <Link to="/publications/category/$category/$type" params={{ category, type }} {...shared} />;
  if (category) return <Link to="/publications/category/$category" params={{ category }} {...shared} />;
  if (type) return <Link to="/publications/$type" params={{ type }} {...shared} />;
  return <Link to="/publications" {...shared} />;
}

const placeRoute = ({ type, category }: GalleryProps['place']) =>
  type && category
    ? { to: '/publications/category/$category/$type' as const, params: { category, type } }
    : category
      ? { to: '/publications/category/$category' as const, params: { category } }
      : type
        ? { to: '/publications/$type' as const, params: { type } }
        : { to: '/publications' as const };

function Tools({ place, search }: GalleryProps) {
  const navigate = useNavigate();
  const known = useQuery(tagsQuery).data?.entries.map(({ name }) => name) ?? [];
  const change = (update: GallerySearch) =>
    void navigate({ to: '.', search: { ...search, page: undefined, ...update }, replace: true });
  const { is_guest, features } = useSession();
  const canAsk = !is_guest && features?.ai?.enabled === true;
  const sentence = search.search?.trim() ?? '';
  const ask = useMutation({
    mutationFn: (prompt: string) => client.ai.publicationsQuery({ prompt }),
    onSuccess({ query, tags, category, type, is_by_model }) {
      if (!is_by_model) return toast('No model can answer, so the words themselves are searched for.');
      const some = tags.filter((tag) => known.includes(tag));
      const found = { search: query || undefined, tags: some.length > 0 ? some : undefined, page: undefined };
      void navigate({
        ...placeRoute({ type: type ?? place.type, category: category ?? place.category }),
        search: { ...search, ...found },
        replace: true,
      });
    },
    onError: (failure) => toastError(failure),
  });
  return (
    <div className={classes.tools}>
      <SearchField
        className={classes.search}
        label="Search publications"
        value={search.search}
        onSearch={(text) => change({ search: text || undefined })}
      />
      {canAsk && (
        <Button
          variant="default"
          leftSection={<IconSparkles size={15} />}
          disabled={!sentence}
          loading={ask.isPending}
          onClick={() => ask.mutate(sentence)}
        >
          Search by sentence
        </Button>
      )}
      <MultiSelect
        aria-label="Tags"
        placeholder={search.tags?.length ? undefined : 'Tags'}
        className={classes.tags}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Clear tags' }}
        nothingFoundMessage="No tags match"
        data={[...new Set([...known, ...(search.tags ?? [])])]}
        value={search.tags ?? []}
        onChange={(tags) => change({ tags: tags.length > 0 ? tags : undefined })}
      />
      <NativeSelect
        aria-label="Sort by"
        data={Object.entries(gallerySorts).map(([value, label]) => ({ value, label }))}
        value={search.sort_by ?? 'published_at'}
        onChange={(event) => change({ sort_by: event.currentTarget.value as GallerySearch['sort_by'] })}
      />
    </div>
  );
}

function Empty({ place, search }: GalleryProps) {
  const isNarrowed = Boolean(search.search || search.tags?.length);
  const isPlace = Boolean(place.type || place.category);
  return (
    <EmptyState isLarge>
      <Text c="dimmed" maw={440}>
        {isNarrowed
          ? `No publications match${search.search ? ` “${search.search}”` : ' these tags'}.`
          : isPlace
            ? `No publications in ${placeName(place)} yet.`
            : 'No publications yet. Open a notebook and press Publish to put the first one here.'}
      </Text>
      {isNarrowed || isPlace ? (
        <LinkButton to="/publications" search={{}} variant="default">
          Show all publications
        </LinkButton>
      ) : (
        <LinkButton to="/projects">Go to projects</LinkButton>
      )}
    </EmptyState>
  );
}
