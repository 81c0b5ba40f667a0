import { Outlet, useMatches } from '@tanstack/react-router';
import { type ReactNode, Suspense, useState } from 'react';
import { lazyPart } from '../../../platform/features/lazy-part.ts';
import { useFeatures } from '../../../platform/features/registry.ts';
import type { WebFeature } from '../../../platform/features/web-feature.ts';
import { readLocal, writeLocal } from '../../../platform/storage.ts';
import { Footer } from '../../../ui/footer.tsx';
import { useSavePreferences } from '../../account/preferences.ts';
import { NewProjectHost } from '../../projects/new-project-host.tsx';
import { useSession } from '../../session/queries.ts';
import { useUsedPlaces } from '../use-places.ts';
import { BottomBar } from './bottom-bar.tsx';
import { usePalette } from './palette.tsx';
import { Rail } from './rail.tsx';
import classes from './shell.module.css';
import { TopBar } from './top-bar.tsx';

const MaskBanner = lazyPart(() => import('../../admin/mask-banner.tsx'), 'MaskBanner');

/** The frame around every page: places at the left (below on a phone), where I am above, the page in the middle. */
export function Shell({ children }: { children?: ReactNode }) {
  const session = useSession();
  const save = useSavePreferences();
  const features = useFeatures();
  useLive(features, session.id);
  useUsedPlaces();
  const isFull = useMatches({ select: (matches) => matches.some((match) => match.staticData.isFull) });
  const [collapsed, setCollapsed] = useState(
    () => (readLocal('is_rail_collapsed') ?? String(session.preferences?.is_rail_collapsed ?? false)) === 'true',
  );
  const { open: openCommands, palette } = usePalette();

  const toggle = () => {
    const next = !collapsed;
    setCollapsed(next);
    writeLocal('is_rail_collapsed', String(next));
    save.mutate({ is_rail_collapsed: next });
  };

  return (
    <div className={classes.shell} data-collapsed={collapsed || undefined} data-full={isFull || undefined}>
      <a className="skip-link" href="#main">
        Skip to the content
      </a>
      <Rail collapsed={collapsed} onToggle={toggle} />
      <div className={classes.stage}>
        {session.masked_by && (
          <Suspense>
            <MaskBanner />
          </Suspense>
        )}
        <TopBar onSearch={openCommands} />
        <div className={classes.scroll} data-scroll-restoration-id="page">
          <main id="main" tabIndex={-1} className={classes.main}>
            {children ?? <Outlet />}
          </main>
          {!isFull && <Footer />}
        </div>
      </div>
      <BottomBar onSearch={openCommands} />
      <NewProjectHost />
      {palette}
    </div>
  );
}

function useLive(features: readonly WebFeature[], userId: string): void {
  // biome-ignore lint/correctness/useHookAtTopLevel: the list of features is fixed, so each render calls the same hooks.
  for (const feature of features) feature.useLive?.(userId);
}
