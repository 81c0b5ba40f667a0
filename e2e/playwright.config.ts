import { defineConfig, devices } from '@playwright/test';

const executablePath = process.env.JOURNEYS_BROWSER_PATH || process.env.CHROMIUM_PATH || undefined;

/** Pages of the browser's own: behind every window's address bar, 0.8 s of CPU time each, and one loaded in advance. */
const ownPages = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'PreloadTopChromeWebUI'];
/** Of several such options the browser takes the last, so the ones of Playwright 1.65 are named again. */
const disabledByPlaywright = [
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'AimEnabled',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

/** Most pages are gone before optimized code would repay the time in which it is made. */
const withoutOptimizing = '--js-flags=--no-turbofan --no-maglev';

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
  // Only against journeys that hang: two cores run two servers, two browsers, kernels and every other test beside them.
  timeout: 300_000,
  expect: { timeout: 60_000 },
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
        withoutOptimizing,
        `--disable-features=${[...disabledByPlaywright, ...ownPages].join(',')}`,
      ],
    },
    // Traces of every journey would slow all of them down; `--trace on` records the one that is looked into.
    screenshot: 'only-on-failure',
  },
});
