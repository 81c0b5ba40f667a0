import './ui/theme/styles.ts';
import type { ThemeMode } from '@atoll/contract/fields';
import type { Theme } from '@atoll/contract/theme/entity';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { createRouter, RouterProvider } from '@tanstack/react-router';
import { type ReactNode, StrictMode, useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { SessionGate } from './features/session/components/session-gate.tsx';
import { sessionQuery } from './features/session/queries.ts';
import { themeQuery } from './features/theme/queries.ts';
import { registry } from './features.ts';
import { hideBootScreen } from './platform/boot/boot-screen.ts';
import { isMode } from './platform/boot/mode.ts';
import { hasStaticPage } from './platform/boot/static-page.ts';
import { RegistryContext } from './platform/features/registry.ts';
import { getRootPath } from './platform/http.ts';
import { createQueryClient } from './platform/query-client.ts';
import { parseSearch, stringifySearch } from './platform/search-params.ts';
import type { SessionStart } from './platform/session.ts';
import { routeTree } from './routeTree.gen.ts';
import { NotFound, PageProblem } from './ui/page-problems.tsx';
import { ThemeProvider } from './ui/theme/theme-context.tsx';
import { ToastHost } from './ui/toasts/toast-host.tsx';

const queryClient = createQueryClient();
const router = createRouter({
  parseSearch,
  stringifySearch,
  routeTree,
  context: { queryClient },
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  // What is read already stays where it is (removeStaticPage).
  scrollRestoration: () => !hasStaticPage(),
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: PageProblem,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface StaticDataRouteOption {
    /** The page's name, in the tab's title and in the breadcrumbs. */
    title?: string;
    /** Whether it fills the frame and scrolls inside itself, like an editor. */
    isFull?: boolean;
  }
}

interface AppProps {
  theme: Theme;
  mode: ThemeMode;
  isModeFree: boolean;
  session: SessionStart;
}

const ignore = () => {};

/** Fetches the code of the page to show while the session is still on its way. */
export function preparePage(): void {
  // Whoever needs it says what failed.
  registry.load().catch(ignore);
  router.update({ ...router.options, basepath: getRootPath() || '/' });
  const matches: { routeId: keyof typeof router.routesById }[] = router.matchRoutes(router.latestLocation);
  for (const { routeId } of matches) router.loadRouteChunk(router.routesById[routeId]);
}

export async function renderApp({ theme, mode, isModeFree, session }: AppProps): Promise<void> {
  queryClient.setQueryData(themeQuery.queryKey, theme);
  if (session.state === 'ready') {
    queryClient.setQueryData(sessionQuery.queryKey, session.session);
    await router.load();
  }
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no root element');
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Themed initialTheme={theme} mode={isModeFree ? (preferredMode(session) ?? mode) : mode}>
          <SessionGate first={session}>
            <RegistryContext value={registry}>
              <RouterProvider router={router} />
            </RegistryContext>
          </SessionGate>
          <ToastHost />
        </Themed>
      </QueryClientProvider>
    </StrictMode>,
  );
}

/** A look chosen on another device counts here too, unless this device was told otherwise. */
function preferredMode(start: SessionStart): ThemeMode | undefined {
  const wanted = start.state === 'ready' ? start.session.preferences?.theme_mode : undefined;
  return isMode(wanted) ? wanted : undefined;
}

function Themed({ initialTheme, mode, children }: { initialTheme: Theme; mode: ThemeMode; children: ReactNode }) {
  const { data: theme = initialTheme } = useQuery(themeQuery);
  useLayoutEffect(hideBootScreen, []);
  return (
    <ThemeProvider theme={theme} initialMode={mode}>
      {children}
    </ThemeProvider>
  );
}
