import { createHmac } from 'node:crypto';
import { expect, test } from './fixtures.ts';

const botToken = '12345:test-bot-token';

function initData(user: object): string {
  const pairs = new Map([
    ['auth_date', String(Math.floor(Date.now() / 1000))],
    ['query_id', 'AAH'],
    ['signature', 'not-checked-with-the-bot-token'],
    ['user', JSON.stringify(user)],
  ]);
  const text = [...pairs]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${value}`)
    .join('\n');
  const key = createHmac('sha256', 'WebAppData').update(botToken).digest();
  return new URLSearchParams([...pairs, ['hash', createHmac('sha256', key).update(text).digest('hex')]]).toString();
}

test('inside Telegram it signs in by the launch data, greets the host and marks its title', async ({ page }) => {
  await page.addInitScript(() => {
    const sent: [string, string][] = [];
    Object.assign(window, {
      sent,
      TelegramWebviewProxy: { postEvent: (name: string, data: string) => sent.push([name, data]) },
    });
  });
  const hash = new URLSearchParams({
    tgWebAppData: initData({ id: 42, first_name: 'Vera', username: 'vera_tg' }),
    tgWebAppVersion: '8.0',
    tgWebAppPlatform: 'android',
    tgWebAppThemeParams: JSON.stringify({ bg_color: '#17212b', text_color: '#f5f5f5' }),
  });
  await page.goto(`/tma#${hash}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard/);
  await expect(page).toHaveTitle('Home - Atoll (TMA)');
  await expect(page.getByText(/Vera/).first()).toBeVisible();
  const mode = await page.evaluate(() => document.documentElement.getAttribute('data-mantine-color-scheme'));
  expect(mode).toBe('dark');
  const events = await page.evaluate(() => (window as unknown as { sent: [string, string][] }).sent);
  const names = events.map(([name]) => name);
  for (const name of [
    'web_app_ready',
    'web_app_expand',
    'web_app_set_header_color',
    'web_app_set_background_color',
    'web_app_setup_swipe_behavior',
  ]) {
    expect(names).toContain(name);
  }
});
