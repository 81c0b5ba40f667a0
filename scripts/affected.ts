/** What a change can affect, where the imports do not say: journeys drive the built product, some tests start it by its path. */

const inNotebooks = [
  'assistant',
  'canvas',
  'canvas-drawn',
  'notebook',
  'notebook-cells',
  'notebook-data',
  'notebook-long',
  'notebook-outputs',
  'notebook-together',
  'notebook-typing',
];

/** Journeys through a feature, by its folder in the web app, the server or the contract. What has no row runs all of them. */
export const journeysOfFeature: Record<string, readonly string[]> = {
  account: ['account', 'sign-in', 'people'],
  ai: ['assistant'],
  analysis: ['analytics'],
  'api-keys': ['account'],
  artifacts: ['analytics'],
  collaboration: ['realtime', 'notebook-together', 'projects'],
  canvas: ['canvas', 'canvas-drawn', 'assistant'],
  comments: ['people', 'notebook-together', 'publications'],
  deliveries: ['deliveries', 'people'],
  embeds: ['embed'],
  exports: ['embed', 'notebook-outputs'],
  files: ['projects', 'uploads', 'data', 'realtime', 'runs', 'sharing', ...inNotebooks],
  home: ['projects', 'start-up'],
  kernels: ['kernels', 'runs', 'quota', 'projects', ...inNotebooks],
  ledger: ['quota', 'runs', 'wallet'],
  mail: ['sign-in', 'people'],
  notebook: ['runs', 'quota', 'projects', 'kernels', 'people', ...inNotebooks],
  notebooks: ['runs', 'quota', 'projects', 'kernels', 'people', ...inNotebooks],
  notifications: ['people', 'notebook-together', 'account'],
  outputs: ['runs', ...inNotebooks],
  people: ['people', 'account', 'sharing'],
  publications: ['publications', 'embed', 'people', 'reports'],
  reports: ['reports'],
  quota: ['quota', 'runs', 'notebook'],
  runs: ['runs', 'quota', 'notebook', 'notebook-data', 'schedules'],
  secrets: ['projects', 'notebook-data', 'runs'],
  schedules: ['schedules', 'publications', 'deliveries'],
  sharing: ['sharing', 'people', 'realtime', 'notebook-together'],
  subscriptions: ['wallet', 'quota'],
  'sign-in': ['sign-in', 'account', 'mini-app', 'start-up'],
  site: ['account'],
  system: ['start-up', 'mini-app'],
  tables: ['data', 'notebook-data'],
  teams: ['people', 'sharing'],
  theme: ['theme', 'start-up', 'mini-app'],
  tracking: ['realtime'],
  uploads: ['uploads', 'account', 'projects', 'data'],
  users: ['people', 'account', 'sharing'],
  admin: ['admin'],
  wallet: ['wallet'],
  trading: ['trading'],
  portfolios: ['trading'],
  strategies: ['strategies'],
  payments: ['wallet'],
  plans: ['wallet', 'quota'],
  usage: ['wallet'],
  referrals: ['referrals', 'sign-in'],
};

const affectsNothing = /^(docs|bench)\/|\.md$|^LICENSE$|^\.gitignore$/;
const isTest = (path: string) => /\.test\.tsx?$|\/test\//.test(path);

/** The journeys to run, by the names of their files; all of them when a change could be anywhere. */
export function journeysFor(changed: readonly string[], journeys: readonly string[]): string[] {
  const found = new Set<string>();
  for (const path of changed) {
    const own = /^e2e\/([\w-]+)\.test\.ts$/.exec(path)?.[1];
    const feature =
      /^apps\/(?:web|server)\/src\/(?:features|platform)\/([\w-]+)\//.exec(path)?.[1] ??
      /^packages\/contract\/src\/([\w-]+)\//.exec(path)?.[1] ??
      /^packages\/(notebook|kernels)\/src\//.exec(path)?.[1];
    if (own) found.add(own);
    else if (affectsNothing.test(path) || isTest(path) || path.startsWith('scripts/')) continue;
    else if (path === 'e2e/notebook-page.ts') for (const journey of inNotebooks) found.add(journey);
    else if (feature && journeysOfFeature[feature])
      for (const journey of journeysOfFeature[feature]) found.add(journey);
    else return [...journeys];
    // It visits all of them.
    if (path.startsWith('apps/web/')) found.add('pages');
  }
  return journeys.filter((journey) => found.has(journey));
}

/** Tests that start code by its path, in a process or thread of its own, and the code. */
export const startedByPath: { code: RegExp; tests: readonly string[] }[] = [
  {
    code: /^(apps\/server|packages\/[\w-]+)\/src\//,
    tests: [
      'apps/server/src/features/runs/process.test.ts',
      'apps/server/src/features/notebooks/owners.test.ts',
      'apps/server/src/platform/realtime/killed-server.test.ts',
      'apps/server/src/test/embedded-process.test.ts',
      'scripts/recipe/recipe.test.ts',
    ],
  },
  { code: /^packages\/kernels\/src\//, tests: ['packages/kernels/src/', 'apps/server/src/features/kernels/'] },
  {
    code: /^apps\/server\/src\/platform\/tables\//,
    tests: ['apps/server/src/platform/tables/', 'apps/server/src/features/files/'],
  },
  { code: /^packages\/notebook\/src\//, tests: ['apps/server/src/features/notebooks/'] },
];

/** What to run beside what imports the change; null for everything, when it is not code. */
export function testsFor(changed: readonly string[]): string[] | null {
  const effective = changed.filter((path) => !affectsNothing.test(path) && !path.startsWith('e2e/'));
  if (effective.some((path) => !/\.(tsx?|css|svg|png)$/.test(path) || path === 'vitest.config.ts')) return null;
  const code = effective.filter((path) => !/\.test\.tsx?$/.test(path));
  return startedByPath.filter((each) => code.some((path) => each.code.test(path))).flatMap(({ tests }) => tests);
}
