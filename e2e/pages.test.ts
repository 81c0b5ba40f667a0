import type { Page, Request } from '@playwright/test';
import { violationsOf } from './axe.ts';
import { complaintsOf, expect, test } from './fixtures.ts';

/**
 * Every page, at both widths and in both modes: it shows, complains about nothing and passes axe. Not in each mode at each
 * width: contrast is a matter of the mode, room of the width, and all four took as long as everything else together.
 */
/** Made by the server, and for axe as long as all other pages together: its groups of calls come from one template. */
const docsPage = '/api/atoll/docs';
const mostOfDocs = 'section:nth-of-type(n + 3)';
const unknownPage = '/no/such/page';
const guestPages = [
  docsPage,
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
  unknownPage,
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
  '/exchanges',
  '/portfolios',
  '/strategies',
  '/exchanges/binance/connect',
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
    'models',
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
  return () => {
    changed();
    return expect
      .poll(() => underWay.size === 0 && performance.now() - changedAt > 150, { intervals: [50] })
      .toBe(true);
  };
}

interface Router {
  navigate(options: object): Promise<void>;
  state: { location: object; resolvedLocation?: object };
}

/** As a link in the app does it; false where the app is not there yet. */
const follow = (page: Page, href: string): Promise<boolean> =>
  page.evaluate(async (to) => {
    const { __TSR_ROUTER__: router } = window as { __TSR_ROUTER__?: Router };
    if (!router) return false;
    await router.navigate({ href: to });
    // Not before it is drawn.
    while (router.state.resolvedLocation !== router.state.location) await new Promise(requestAnimationFrame);
    return true;
  }, href);

/** Each page is loaded by its address in one, and reached within the app in the other, which takes a third of the time. */
const looks = [
  { size: 'desktop', viewport: { width: 1440, height: 900 }, mode: 'light', isLoaded: true },
  { size: 'phone', viewport: { width: 390, height: 844 }, mode: 'dark', isLoaded: false },
];

for (const { size, viewport, mode, isLoaded } of looks) {
  test.describe(`${size}, ${mode}`, () => {
    test.use({ viewport });

    const visit =
      (paths: string[]) =>
      async ({ page }: { page: Page }) => {
        const complaints = complaintsOf(page);
        const isQuiet = quietness(page);
        for (const path of paths) {
          await test.step(path, async () => {
            const isFollowed = !isLoaded && path !== docsPage && (await follow(page, path));
            if (!isFollowed) await page.goto(`${path}${path.includes('?') ? '&' : '?'}theme=${mode}`);
            await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
            await expect(page).toHaveTitle(/ - (Atoll|Atoll \(TMA\))$/);
            if (path !== docsPage)
              await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', mode);
            await isQuiet();
            expect(await violationsOf(page, path === docsPage ? mostOfDocs : undefined), path).toEqual([]);
            const overflow = await page.evaluate(
              () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
            );
            expect(overflow, `${path} scrolls sideways`).toBe(0);
          });
        }
        // The server says of an address that has no page that it has none.
        const isUnknownLoaded = isLoaded && paths.includes(unknownPage);
        const notFound = 'Failed to load resource: the server responded with a status of 404 (Not Found)';
        expect(complaints).toEqual(isUnknownLoaded ? [notFound] : []);
      };

    test('pages of a guest', visit(guestPages));
    test('pages of a person', async ({ page, signedUp: _ }) => visit(personPages)({ page }));
    test('pages of an administrator', async ({ page, asAdmin: _ }) => visit(adminPages)({ page }));
  });
}
