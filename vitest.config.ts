import { defineConfig } from 'vitest/config';

/** The server's suite runs twice, on each database; everything else needs none. */
const server = (database: 'embedded' | 'postgres') => ({
  test: {
    name: `server-${database}`,
    include: ['apps/server/src/**/*.test.ts'],
    // What is about the embedded database alone has nothing to say about the other.
    // Two hundred dying servers say the same on either database.
    exclude: database === 'postgres' ? ['**/embedded-*.test.ts'] : ['**/killed-server.test.ts'],
    env: { TEST_DATABASE: database },
    globalSetup: [`./apps/server/src/test/setup-${database}.ts`],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'apps/web/src/**/*.test.ts', 'scripts/**/*.test.ts'],
        },
      },
      server('embedded'),
      server('postgres'),
    ],
  },
});
