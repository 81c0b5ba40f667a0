import { defineConfig, devices } from '@playwright/test';

const executablePath = process.env.CHROMIUM_PATH || undefined;

/** Journeys against the built product, in a real Chromium. Each worker starts a server of its own. */
export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  fullyParallel: true,
  forbidOnly: true,
  // One browser's hiccup among so many journeys would refuse the whole run. `npm test` names at its end what passed only
  // the second time, with its first error: it is to be mended, not to be got used to.
  retries: 1,
  workers: 2,
  timeout: 120_000,
  // A machine with two cores that runs two servers, two browsers and DuckDB may take its time to show a page.
  expect: { timeout: 20_000 },
  reporter: 'list',
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1440, height: 900 },
    // Every click would wait for what moves to come to rest.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath,
      args: [
        '--no-sandbox',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
    // Traces of every journey would slow all of them down; `--trace on` records the one that is looked into.
    screenshot: 'only-on-failure',
  },
});
