import '@mantine/spotlight/styles.layer.css';
import { createSpotlight, Spotlight, type SpotlightActionData } from '@mantine/spotlight';
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
import { useEffect, useState, useSyncExternalStore } from 'react';
import { otherMode } from '../../../platform/mode.ts';
import { useTheme } from '../../../ui/theme-context.tsx';
import { sections, visibleSections } from '../../account/model.ts';
import { useChooseMode } from '../../account/preferences.ts';
import { capsOf } from '../../notebook/keys.ts';
import { getOpenNotebook, onOpenNotebook } from '../../notebook/open.ts';
import { usePeopleCommands } from '../../people/use-people-commands.tsx';
import { useProjectCommands } from '../../projects/use-project-commands.tsx';
import { useSignOut } from '../../session/mutations.ts';
import { useSession } from '../../session/queries.ts';
import { footPlaces, places, visible } from '../model.ts';

const [store, palette] = createSpotlight();
const icon = { size: 18, stroke: 1.6 };

/** Everything that can be done from anywhere, by name. */
export function Commands({ asked }: { asked: number }) {
  const session = useSession();
  const theme = useTheme();
  const router = useRouter();
  const signOut = useSignOut();
  const { mode, choose } = useChooseMode();
  const next = otherMode(mode);
  const [query, setQuery] = useState('');
  const projects = useProjectCommands(query);
  const notebook = useSyncExternalStore(onOpenNotebook, getOpenNotebook);
  const cells = (notebook?.actions() ?? []).map(
    ({ id, label, keys, run }): SpotlightActionData => ({
      id,
      label,
      rightSection: keys
        ? capsOf(keys)
            .map((press) => press.join(' '))
            .join(', ')
        : undefined,
      // The palette gives the focus back first.
      onClick: () => void setTimeout(run),
    }),
  );
  const people = usePeopleCommands(query);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each asking opens it again.
  useEffect(() => palette.open(), [asked]);

  const pages = [...visible(places, session), ...footPlaces].map(
    ({ label, icon: Icon, to }): SpotlightActionData => ({
      id: to,
      label: `Go to ${label}`,
      leftSection: <Icon {...icon} />,
      onClick: () => void router.navigate({ to }),
    }),
  );
  const account = visibleSections(session).map(
    (section): SpotlightActionData => ({
      id: `profile-${section}`,
      label: `Account: ${sections[section].label}`,
      description: sections[section].description,
      leftSection: <IconUserCircle {...icon} />,
      onClick: () => void router.navigate({ to: '/profile', search: { section } }),
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
      onQueryChange={setQuery}
      actions={[
        { group: 'Projects', actions: projects.found },
        ...(cells.length && query ? [{ group: 'Notebook', actions: cells }] : []),
        { group: 'People and teams', actions: people },
        { group: 'Pages', actions: pages },
        { group: 'Account', actions: account },
        { group: 'Actions', actions: [...projects.actions, look, ...leaving] },
      ]}
      nothingFound="No results"
      highlightQuery
      scrollable
      maxHeight={420}
      transitionProps={{ duration: 100 }}
      overlayProps={{ backgroundOpacity: 0.4, blur: 0 }}
      attributes={{ content: { 'aria-label': 'Search and commands' } }}
      searchProps={{
        leftSection: <IconSearch {...icon} />,
        placeholder: 'Search or run a command',
        'aria-label': 'Search',
      }}
    />
  );
}
