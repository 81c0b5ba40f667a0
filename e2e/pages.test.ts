import type { Page, Request } from '@playwright/test';
import { violationsOf } from './axe.ts';
import { complaintsOf, expect, test } from './fixtures.ts';

/**
 * Every page, at both widths and in both modes: it shows, complains about nothing and passes axe. Not in each mode at each
 * width: contrast is a matter of the mode, room of the width, and all four took as long as everything else together.
 */
const guestPages = [
  '/api/atoll/docs',
  '/dashboard',
  '/sign-in',
  '/sign-up',
  '/forgot-password',
  '/about',
  '/contact-us',
  '/terms-of-service',
  '/privacy-policy',
  '/auth/link',
  '/auth/reset',
  '/auth/confirm',
  '/auth/github',
  '/theme-preview',
  '/no/such/page',
  '/profile',
  '/projects',
  '/projects?mode=community&view=table',
  '/publications',
  '/publications/category/research/report',
  '/reports',
  '/teams',
  '/teams?mode=discoverable',
  '/notifications',
  '/feedback',
  '/unsubscribe',
  '/pricing',
  '/usage',
  '/referrals/dashboard',
];
const personPages = [
  '/dashboard',
  '/projects',
  '/projects?view=table&is_filtering=true',
  '/projects?mode_filter[]=deleted',
  '/projects?tab=publications',
  '/projects?tab=reports',
  '/projects/vlsm',
  '/teams',
  '/notifications',
  '/notifications/comments',
  '/feedback',
  '/wallet',
  '/usage',
  '/referrals/dashboard',
  '/pricing',
  '/profile',
  ...['about', 'security', 'keys', 'secrets', 'connections', 'preferences'].map(
    (section) => `/profile?section=${section}`,
  ),
];
const adminPages = [
  '/admin',
  ...[
    'users',
    'roles',
    'features',
    'plans',
    'referrals',
    'units',
    'subscriptions',
    'kernels',
    'usage',
    'jobs',
    'tracking',
    'action-log',
    'trading-bots',
  ].map((page) => `/admin/${page}`),
  '/theme-preview',
  ...['colours', 'look', 'pictures', 'texts', 'links'].map((part) => `/theme-preview?part=${part}`),
];

/** Waits until nothing has been fetched for a moment. Playwright's own wait is half a second for each page. */
function quietness(page: Page): () => Promise<void> {
  const underWay = new Set<Request>();
  let changedAt = 0;
  const changed = () => {
    changedAt = performance.now();
  };
  page.on('request', (request) => underWay.add(request) && changed());
  const ended = (request: Request) => underWay.delete(request) && changed();
  page.on('requestfinished', ended).on('requestfailed', ended);
  // What the page before had begun ends with it, unsaid.
  page.on('framenavigated', (frame) => frame === page.mainFrame() && underWay.clear());
  return () =>
    expect.poll(() => underWay.size === 0 && performance.now() - changedAt > 150, { intervals: [50] }).toBe(true);
}

const looks = [
  { size: 'desktop', viewport: { width: 1440, height: 900 }, mode: 'light' },
  { size: 'phone', viewport: { width: 390, height: 844 }, mode: 'dark' },
];

for (const { size, viewport, mode } of looks) {
  test.describe(`${size}, ${mode}`, () => {
    test.use({ viewport });

    const visit =
      (paths: string[]) =>
      async ({ page }: { page: Page }) => {
        const complaints = complaintsOf(page);
        const isQuiet = quietness(page);
        for (const path of paths) {
          await test.step(path, async () => {
            await page.goto(`${path}${path.includes('?') ? '&' : '?'}theme=${mode}`);
            await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
            await expect(page).toHaveTitle(/ - (Atoll|Atoll \(TMA\))$/);
            await isQuiet();
            expect(await violationsOf(page), path).toEqual([]);
            const overflow = await page.evaluate(
              () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
            );
            expect(overflow, `${path} scrolls sideways`).toBe(0);
          });
        }
        expect(complaints).toEqual([]);
      };

    test('pages of a guest', visit(guestPages));
    test('pages of a person', async ({ page, signedUp: _ }) => visit(personPages)({ page }));
    test('pages of an administrator', async ({ page, asAdmin: _ }) => visit(adminPages)({ page }));
  });
}
