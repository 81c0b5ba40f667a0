import { defineConfig } from 'vitest/config';

const databaseHasNoPart = [
  '**/killed-server.test.ts',
  '**/channel-matrix.test.ts',
  '**/platform/messages/*.test.ts',
  '**/platform/tables/*.test.ts',
  '**/files/data.test.ts',
  '**/runs/process.test.ts',
  '**/kernels/real-kernels.test.ts',
];

/** The server's suite runs twice, on each database; everything else needs none. */
const server = (database: 'embedded' | 'postgres') => ({
  test: {
    name: `server-${database}`,
    include: ['apps/server/src/**/*.test.ts'],
    // What is about one database alone, or about none, is not run on both.
    exclude: database === 'postgres' ? ['**/embedded-*.test.ts'] : databaseHasNoPart,
    env: { TEST_DATABASE: database },
    globalSetup: [`./apps/server/src/test/setup-${database}.ts`],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});

export default defineConfig({
  test: {
    // By default one core is left free, which on two cores is one worker.
    maxWorkers: 2,
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
