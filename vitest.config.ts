import { defineConfig } from 'vitest/config';
import { contractClient } from './apps/web/scripts/contract-plugin.ts';

/** Those with statements that the two databases could take differently; the browser's journeys are on this one whole. */
const onEmbedded = [
  'features/{deliveries,projects,quota,schedules,sharing,collaboration,notifications,wallet,subscriptions,plans,payments,referrals}/*.test.ts',
  'features/{files/files,sign-in/first-proof}.test.ts',
  'platform/{context,events/relay,jobs/jobs,realtime/realtime}.test.ts',
  'test/embedded-*.test.ts',
].map((pattern) => `apps/server/src/${pattern}`);

/** Only against tests that hang: no test says how fast something is, and the machine may be slow or busy. */
const limits = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 120_000 } } };

/** The whole of the server's suite on PostgreSQL, and what can differ on the embedded database too. */
const server = (database: 'embedded' | 'postgres', include: string[], exclude: string[]) => ({
  test: {
    name: `server-${database}`,
    include,
    exclude,
    env: { TEST_DATABASE: database },
    globalSetup: [`./apps/server/src/test/setup-${database}.ts`],
    // Importing the server takes longer than most files of tests; nothing in it is kept in a module.
    isolate: false,
    ...limits,
  },
});

export default defineConfig({
  test: {
    // By default one core is left free, which on two cores is one worker.
    maxWorkers: 2,
    projects: [
      {
        plugins: [contractClient()],
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'apps/web/src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
          ...limits,
        },
      },
      server('embedded', onEmbedded, []),
      server('postgres', ['apps/server/src/**/*.test.ts'], ['**/embedded-*.test.ts']),
    ],
  },
});
