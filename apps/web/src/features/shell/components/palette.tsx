import { useHotkeys } from '@mantine/hooks';
import { Suspense, useEffect, useState } from 'react';
import { lazyPart } from '../../../platform/features/lazy-part.ts';
import { useFeatures } from '../../../platform/features/registry.ts';
import { whenIdle } from '../../../platform/when-idle.ts';
import { type CommandSources, loadCommands } from '../command-sources.ts';
import classes from './commands.module.css';

const load = () => import('./commands.tsx');
const Commands = lazyPart(load, 'Commands');

/** The command palette: loaded while the page is idle, so that it is there at the first key. */
export function usePalette() {
  const features = useFeatures();
  const [asked, setAsked] = useState(0);
  const [query, setQuery] = useState('');
  // Enter was pressed before the palette had loaded.
  const [isEntered, setEntered] = useState(false);
  const [sources, setSources] = useState<CommandSources | null>(null);
  useEffect(
    () =>
      whenIdle(() => {
        void load();
        setSources((before) => before ?? loadCommands(features));
      }),
    [features],
  );
  const open = () => {
    setSources((before) => before ?? loadCommands(features));
    setAsked((before) => before + 1);
  };
  useHotkeys([['mod+K', open]], []);
  const palette = asked > 0 && sources && (
    <Suspense fallback={<WaitingPalette query={query} onQueryChange={setQuery} onEnter={() => setEntered(true)} />}>
      <Commands
        asked={asked}
        sources={sources}
        query={query}
        onQueryChange={setQuery}
        isEntered={isEntered}
        onEntered={() => setEntered(false)}
      />
    </Suspense>
  );
  return { open, palette };
}

interface WaitingPaletteProps {
  query: string;
  onQueryChange(query: string): void;
  onEnter(): void;
}

/** Takes what is typed before the palette has loaded. */
function WaitingPalette({ query, onQueryChange, onEnter }: WaitingPaletteProps) {
  return (
    <div className={classes.waiting}>
      <input
        aria-label="Search"
        // biome-ignore lint/a11y/noAutofocus: it was opened to type in it.
        autoFocus
        placeholder="Search or run a command"
        value={query}
        onChange={(event) => onQueryChange(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && onEnter()}
      />
    </div>
  );
}
