import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { contractClient } from './apps/web/scripts/contract-plugin.ts';

/**
 * Those with statements written as SQL, which the two databases could take or answer differently; what is built of tables is
 * the same for both. The browser's journeys are on this one whole: they have the statements of notebooks, kernels, trading,
 * publications, tracking and analysis.
 */
const onEmbedded = [
  'features/{admin,projects,notifications,wallet,payments}/*.test.ts',
  'features/{ai/statements,deliveries/recipients,schedules/review,quota/quota,sign-in/first-proof,uploads/sweep}.test.ts',
  'platform/{context,events/relay,jobs/jobs,realtime/realtime}.test.ts',
  'test/embedded-*.test.ts',
].map((pattern) => `apps/server/src/${pattern}`);

const kernels = ['packages/kernels/src/**/*.test.ts'];

/**
 * Only against tests that hang: no test says how fast something is, and the machine may be slow or busy. What passes only at
 * its second attempt is named as flaky at the end of the run, like a journey.
 */
const limits = { retry: 1, testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 120_000 } } };

/** The whole of the server's suite on PostgreSQL, and what can differ on the embedded database too. */
const server = (database: 'embedded' | 'postgres', include: string[], exclude: string[]) => ({
  resolve: { alias: { '@node-rs/argon2': join(import.meta.dirname, 'apps/server/src/test/quick-argon2.ts') } },
  test: {
    name: `server-${database}`,
    include,
    exclude,
    // For the processes that tests start.
    env: { TEST_DATABASE: database, NODE_COMPILE_CACHE: join(import.meta.dirname, '.cache/compiled') },
    globalSetup: [`./apps/server/src/test/setup-${database}.ts`],
    // Importing the server takes longer than most files of tests; nothing in it is kept in a module.
    isolate: false,
    ...limits,
  },
});

/** Of each project those that take longest, from half a minute to five: begun last, one of them would end alone. */
const longest = [
  'notebooks/interleaved',
  'strategies/strategies',
  'notebooks/real-notebooks',
  'runs/process',
  'kernels/real-kernels',
  'test/killed-steps',
  'test/malformed-input',
  'realtime/killed-server',
  'renderer/renderer',
  'reports/reports',
  'test/endpoint-matrix',
  'notebooks/owners',
  'embedded-process',
  'sandbox/hostile',
  'python/python',
  'recipe/recipe',
  'pyodide/pyodide',
  'local/stillness',
  'pyodide/packages',
  'packages/packages',
  'gateway/gateway',
  'host/process',
];
const rankOf = (file: string) => {
  const rank = longest.findIndex((name) => file.endsWith(`${name}.test.ts`));
  return rank === -1 ? longest.length : rank;
};
// A worker that goes on with another project begins anew, so projects follow each other; the one with the shortest files ends.
const projects = ['server-postgres', 'server-embedded', 'kernels', 'web-dom', 'unit'];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byDefault = await super.sort(files);
    const project = ({ project: { name } }: TestSpecification) => projects.indexOf(name);
    return byDefault.toSorted((a, b) => project(a) - project(b) || rankOf(a.moduleId) - rankOf(b.moduleId));
  }
}

export default defineConfig({
  test: {
    // More than cores: those with kernels and processes wait for them most of the time.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        plugins: [contractClient()],
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'apps/web/src/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: kernels,
          // Most of these files take less time than a process of their own; none changes what another one imports.
          isolate: false,
          ...limits,
        },
      },
      // They measure the memory and the children of the process they are in, so each file has one.
      { test: { name: 'kernels', include: kernels, ...limits } },
      {
        plugins: [contractClient()],
        // React and Mantine keep the document they were imported with: each file has its own.
        test: { name: 'web-dom', include: ['apps/web/src/**/*.test.tsx'], environment: 'happy-dom', ...limits },
      },
      server('embedded', onEmbedded, []),
      server('postgres', ['apps/server/src/**/*.test.ts'], ['**/embedded-*.test.ts']),
    ],
  },
});
