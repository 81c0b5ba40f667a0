import '@mantine/spotlight/styles.layer.css';
import { createSpotlight, Spotlight, type SpotlightActionData, useSpotlight } from '@mantine/spotlight';
import {
  IconLogin2,
  IconLogout,
  IconMoon,
  IconSearch,
  IconSun,
  IconUserCircle,
  IconUserPlus,
} from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { use, useEffect } from 'react';
import { otherMode } from '../../../platform/boot/mode.ts';
import { useTheme } from '../../../ui/theme/theme-context.tsx';
import { useChooseMode } from '../../account/preferences.ts';
import { useSettingsPages } from '../../account/use-settings-pages.ts';
import { useSignOut } from '../../session/mutations.ts';
import { useSession } from '../../session/queries.ts';
import { type CommandSources, inGroups, useGroups } from '../command-sources.ts';
import { usePlaces } from '../use-places.ts';
import classes from './commands.module.css';

const [store, palette] = createSpotlight();
const icon = { size: 18, stroke: 1.6 };

interface CommandsProps {
  /** Counts the openings. */
  asked: number;
  sources: CommandSources;
  query: string;
  onQueryChange(query: string): void;
  /** Enter was pressed already: the first result opens as soon as there is one. */
  isEntered: boolean;
  onEntered(): void;
}

/** Everything that can be done from anywhere, by name. */
export function Commands({ asked, sources, query, onQueryChange, isEntered, onEntered }: CommandsProps) {
  const session = useSession();
  const theme = useTheme();
  const router = useRouter();
  const signOut = useSignOut();
  const { mode, choose } = useChooseMode();
  const next = otherMode(mode);
  const groups = useGroups(use(sources), query);
  const { groups: places, account: accountPlaces, about } = usePlaces();
  const settings = useSettingsPages();

  // biome-ignore lint/correctness/useExhaustiveDependencies: each asking opens it again.
  useEffect(() => palette.open(), [asked]);
  useFirstSelected(isEntered && query !== '', onEntered);

  const pages = [...places.flatMap((group) => group.places), ...accountPlaces, ...about].map(
    ({ label, icon: Icon, to }): SpotlightActionData => ({
      id: to,
      label: `Go to ${label}`,
      leftSection: <Icon {...icon} />,
      onClick: () => void router.navigate({ to }),
    }),
  );
  const account = settings.map(
    ({ id, label, description }): SpotlightActionData => ({
      id: `profile-${id}`,
      label: `Account: ${label}`,
      description,
      leftSection: <IconUserCircle {...icon} />,
      onClick: () => void router.navigate({ to: '/profile', search: { section: id } }),
    }),
  );
  const look: SpotlightActionData = {
    id: 'mode',
    label: `Switch to ${theme.theme_names[next]}`,
    keywords: ['theme', 'mode', 'light', 'dark', 'look'],
    leftSection: next === 'dark' ? <IconMoon {...icon} /> : <IconSun {...icon} />,
    onClick: () => choose(next),
  };
  const leaving: SpotlightActionData[] = session.is_guest
    ? [
        {
          id: 'in',
          label: 'Sign in',
          leftSection: <IconLogin2 {...icon} />,
          onClick: () => void router.navigate({ to: '/sign-in' }),
        },
        {
          id: 'up',
          label: 'Create account',
          leftSection: <IconUserPlus {...icon} />,
          onClick: () => void router.navigate({ to: '/sign-up' }),
        },
      ]
    : [{ id: 'out', label: 'Sign out', leftSection: <IconLogout {...icon} />, onClick: () => signOut.mutate() }];

  return (
    <Spotlight
      store={store}
      shortcut={null}
      query={query}
      onQueryChange={onQueryChange}
      actions={inGroups([
        ...groups,
        { group: 'Pages', actions: pages },
        { group: 'Account', actions: account },
        { group: 'Actions', actions: [look, ...leaving] },
      ])}
      nothingFound="No results"
      highlightQuery
      scrollable
      maxHeight={420}
      transitionProps={{ duration: 100 }}
      overlayProps={{ backgroundOpacity: 0.4, blur: 0 }}
      attributes={{ content: { 'aria-label': 'Search and commands' } }}
      classNames={{ body: classes.body }}
      searchProps={{
        leftSection: <IconSearch {...icon} />,
        placeholder: 'Search or run a command',
        'aria-label': 'Search',
      }}
    />
  );
}

/** Enter opens the first result until the arrow keys choose another one. */
function useFirstSelected(isEntered: boolean, onEntered: () => void): void {
  const { listId, opened, selected } = useSpotlight(store);
  // After each render, because results come from several queries, and the library marks only those that are there.
  useEffect(() => {
    if (!opened || !listId || selected > 0) return;
    const list = document.getElementById(listId);
    const first = list?.querySelector<HTMLElement>('[data-action]');
    if (first && isEntered) {
      onEntered();
      first.click();
      return;
    }
    if (!first || first.hasAttribute('data-selected')) return;
    list?.querySelector('[data-selected]')?.removeAttribute('data-selected');
    first.setAttribute('data-selected', 'true');
    store.updateState((state) => ({ ...state, selected: 0 }));
  });
}
