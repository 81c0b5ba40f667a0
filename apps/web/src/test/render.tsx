import type { ProjectFile } from '@atoll/contract/files/entity';
import type { ProjectDetail } from '@atoll/contract/projects/entity';
import type { Session } from '@atoll/contract/session/entity';
import type { Palette, Theme } from '@atoll/contract/theme/entity';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  type AnyRoute,
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  type RouteComponent,
  RouterProvider,
} from '@tanstack/react-router';
import { cleanup, configure, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, vi } from 'vitest';
import { sessionQuery } from '../features/session/queries.ts';
import { type FeatureRegistry, RegistryContext } from '../platform/features/registry.ts';
import { parseSearch, stringifySearch } from '../platform/search-params.ts';
import { ThemeProvider } from '../ui/theme/theme-context.tsx';

// The machine may be slow, and a whole page says little about what is missing in it.
configure({ asyncUtilTimeout: 60_000, getElementError: (message) => new Error(message ?? 'Not found') });
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const colours = Object.fromEntries(
  ['primary', 'background', 'surface', 'text', 'muted', 'border', 'success', 'warning', 'danger'].map((name) => [
    name,
    '#336699',
  ]),
) as Palette;
const look = { font: 'sans-serif', font_mono: 'monospace', heading_weight: 600, radius: 6 };
const theme = {
  name: 'Test',
  palettes: { light: colours, dark: colours },
  themes: { light: look, dark: look },
  theme_names: { light: 'Light', dark: 'Dark' },
  theme_default_mode: 'light',
  texts: {},
  links: [],
} as unknown as Theme;

/** Somebody with an account; what a test is about it says itself. */
export const sessionOf = (over: Partial<Session> = {}): Session =>
  ({ id: 'me', user_name: 'me', first_name: '', last_name: '', email: null, features: {}, ...over }) as Session;

export const fileOf = (name: string, over: Partial<ProjectFile> = {}): ProjectFile =>
  ({
    id: name,
    project_id: 'p',
    name,
    path: name,
    size: 1,
    version: 1,
    version_id: 'v',
    content_url: '/x',
    ...over,
  }) as ProjectFile;

export const projectOf = (over: Partial<ProjectDetail> = {}): ProjectDetail =>
  ({
    id: 'p',
    name: 'Project',
    kind: 'notebook',
    language: 'python',
    visibility: 'private',
    deleted_at: null,
    default_file_id: null,
    owner: { id: 'me', user_name: 'me', first_name: '', last_name: '', avatar: null },
    stats: { comment_count: 0 },
    permissions: ['view', 'view_source', 'view_history', 'edit', 'execute', 'share'],
    ...over,
  }) as ProjectDetail;

export interface Call {
  method: string;
  path: string;
  body: unknown;
}

interface Scene {
  registry: FeatureRegistry;
  session?: Session;
  /** What the API answers, by path, or will; everything else is not found. */
  answers?: Record<string, unknown>;
  /** Calls that were made, with what was sent. */
  calls?: Call[];
}

/** Answers like the server, from a table. */
function stubApi({ answers = {}, calls }: Scene): void {
  vi.stubGlobal('fetch', async (input: Request | string, init?: RequestInit) => {
    const request = new Request(input, init);
    const path = new URL(request.url).pathname.replace(/^\/api\/[^/]+/, '');
    calls?.push({ method: request.method, path, body: await request.json().catch(() => null) });
    const found = await answers[path];
    const body = found ?? { message: `No ${path}`, status: 404, code: 'not_found', fields: {}, details: {} };
    return new Response(JSON.stringify(body), {
      status: found === undefined ? 404 : 200,
      headers: { 'content-type': 'application/json' },
    });
  });
}

interface Page {
  component: RouteComponent;
  /** Like the file of the page in `routes/`: `/_shell/projects/`. */
  validateSearch?: (search: Record<string, unknown>) => object;
}

/** Draws pages inside their frame, as the app does. */
export async function renderPages(
  scene: Scene & { frame?: RouteComponent; pages: Record<string, Page>; at: string },
): Promise<QueryClient> {
  stubApi(scene);
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  queryClient.setQueryData(sessionQuery.queryKey, scene.session ?? sessionOf());
  const root = createRootRoute();
  const frame = createRoute({ getParentRoute: () => root, id: '_shell', component: scene.frame });
  const routes = Object.entries(scene.pages).map(
    ([path, { component, validateSearch }]): AnyRoute =>
      createRoute({ getParentRoute: () => frame, path, component, validateSearch }),
  );
  const router = createRouter({
    routeTree: root.addChildren([frame.addChildren(routes)]),
    history: createMemoryHistory({ initialEntries: [scene.at] }),
    parseSearch,
    stringifySearch,
  });
  await Promise.all([scene.registry.load(), router.load()]);
  render(
    <ThemeProvider theme={theme} initialMode="light">
      <QueryClientProvider client={queryClient}>
        <RegistryContext value={scene.registry}>
          {/* biome-ignore lint/suspicious/noExplicitAny: links are typed by the real routes. */}
          <RouterProvider router={router as any} />
        </RegistryContext>
      </QueryClientProvider>
    </ThemeProvider>,
  );
  return queryClient;
}

/** One component by itself. */
export const renderPart = (scene: Scene, part: ReactNode): Promise<QueryClient> =>
  renderPages({ ...scene, pages: { '/': { component: () => part } }, at: '/' });
