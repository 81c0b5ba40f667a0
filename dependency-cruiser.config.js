/** Who may import whom; the reasons are in docs/ARCHITECTURE.md. */
const feature = 'apps/server/src/features';
const webFeature = 'apps/web/src/features';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'contract-knows-zod-only',
      severity: 'error',
      from: { path: '^packages/contract/src' },
      to: { pathNot: ['^packages/contract/src', 'node_modules/(zod|@orpc/contract)/'] },
    },
    {
      name: 'packages-know-no-app',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^apps/' },
    },
    {
      name: 'channels-client-runs-in-browsers',
      severity: 'error',
      from: { path: '^packages/channels/src/client' },
      to: { pathNot: '^packages/channels/src/client' },
    },
    {
      name: 'platform-knows-no-feature',
      severity: 'error',
      from: { path: '^apps/server/src/platform' },
      to: { path: `^${feature}` },
    },
    {
      name: 'policies-are-pure',
      severity: 'error',
      from: { path: `^${feature}/[^/]+/policy\\.ts$` },
      to: { pathNot: ['platform/policy/', '/table\\.ts$', '/policy\\.ts$', '^packages/contract'] },
    },
    {
      name: 'tables-know-tables-only',
      severity: 'error',
      from: { path: `^${feature}/[^/]+/table\\.ts$` },
      to: { pathNot: ['drizzle-orm', 'platform/db/columns', '/table\\.ts$', '^packages/(contract|trading)/'] },
    },
    {
      name: 'keys-of-exchanges-are-opened-in-the-worker',
      severity: 'error',
      from: { path: `^${feature}/(?!trading/worker/)` },
      to: { path: `^${feature}/trading/worker/(?!messages|binance-test-server)` },
    },
    {
      name: 'services-know-no-http',
      severity: 'error',
      from: { path: `^${feature}/[^/]+/service[./]` },
      to: { path: ['node_modules/(fastify|@orpc)/', '/routes[a-z-]*\\.ts$', '/channel\\.ts$', '/jobs\\.ts$'] },
    },
    {
      name: 'views-know-no-database',
      severity: 'error',
      from: { path: `^${feature}/[^/]+/view\\.ts$` },
      to: { path: ['platform/db/database', 'node_modules/drizzle-orm/'] },
    },
    {
      name: 'features-meet-at-services-views-and-tables',
      severity: 'error',
      from: { path: `^${feature}/([^/]+)/` },
      to: { path: `^${feature}/[^/]+/(routes|channel|events|jobs|index)`, pathNot: [`^${feature}/$1/`] },
    },
    {
      name: 'folders-within-a-feature-are-its-own',
      severity: 'error',
      from: { path: `^${feature}/([^/]+)/` },
      to: {
        path: `^${feature}/[^/]+/[^/]+/`,
        pathNot: [`^${feature}/$1/`, `^${feature}/[^/]+/service/[^/]+$`],
      },
    },
    {
      name: 'app-imports-feature-fronts-only',
      severity: 'error',
      from: { path: '^apps/server/src/(app|run|main)\\.ts$' },
      to: { path: `^${feature}/[^/]+/(?!index\\.ts$)` },
    },
    {
      name: 'server-knows-no-web',
      severity: 'error',
      from: { path: '^apps/server' },
      to: { path: '^apps/web' },
    },
    {
      name: 'web-knows-no-server',
      severity: 'error',
      from: { path: '^apps/web' },
      to: { path: '^apps/server' },
    },
    {
      name: 'web-ui-and-platform-know-no-feature',
      severity: 'error',
      from: { path: '^apps/web/src/(ui|platform)' },
      to: { path: '^apps/web/src/(features|routes)' },
    },
    {
      name: 'folders-within-a-web-feature-are-its-own',
      severity: 'error',
      from: { path: `^${webFeature}/([^/]+)/` },
      to: {
        path: `^${webFeature}/[^/]+/[^/]+/`,
        pathNot: [
          `^${webFeature}/$1/`,
          // The next rule tells.
          `^${webFeature}/notebook/`,
        ],
      },
    },
    {
      // A canvas is a notebook drawn otherwise: it is made of the same cells, inputs, toolbar and dialogs.
      name: 'folders-within-the-notebook-are-its-own-and-the-canvas-s',
      severity: 'error',
      from: { path: `^${webFeature}/`, pathNot: `^${webFeature}/(notebook|canvas)/` },
      to: { path: `^${webFeature}/notebook/[^/]+/` },
    },
    {
      name: 'web-features-know-no-route',
      severity: 'error',
      from: { path: '^apps/web/src/features' },
      to: { path: '^apps/web/src/routes' },
    },
    {
      name: 'web-routes-only-compose',
      severity: 'error',
      from: { path: '^apps/web/src/routes' },
      to: { path: '^apps/web/src/routes/', pathNot: '\\.css$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['\\.test\\.tsx?$', '/test/', 'routeTree\\.gen\\.ts$', '/dist/'] },
    // The TypeScript 7 compiler has no API for it to parse with.
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.css'],
    },
  },
};
