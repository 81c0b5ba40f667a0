import { violationsOf } from './axe.ts';
import { call, expect, makeProject, newPerson, publish, test } from './fixtures.ts';

test('a strategy is created, tested, looked into, swept, compared and run on the demo', async ({
  page,
  signedUp: _,
}) => {
  await page.goto('/projects');
  await page.getByRole('button', { name: 'New project' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Crossing');
  await dialog.getByRole('button', { name: /^Strategy/ }).click();

  const settings = page.getByRole('complementary', { name: 'Settings of the backtest' });
  await expect(settings.getByLabel('Fast average')).toHaveValue('20');
  // It has decided by the time the rest is done.
  await settings.getByRole('button', { name: 'More ways to test and run' }).click();
  await page.getByRole('menuitem', { name: 'Run live…' }).click();
  await expect(page.getByRole('dialog')).toContainText('DEMO');
  await page.getByRole('dialog').getByRole('button', { name: 'Run the strategy' }).click();
  const run = page.getByRole('region', { name: /^Run on/ });
  await expect(run).toContainText('Running');

  await settings.getByLabel('From', { exact: true }).fill('2026-03-01');
  await settings.getByLabel('To', { exact: true }).fill('2026-05-31');
  await settings.getByRole('button', { name: 'Run backtest' }).click();
  const figures = page.getByRole('region', { name: 'Figures' });
  await expect(figures).toContainText('Buy and hold');
  await expect(figures).toContainText('Deflated Sharpe');
  await expect(page.getByRole('img', { name: /Equity over time/ })).toHaveAttribute('data-ready', 'true');
  const trust = page.getByRole('region', { name: 'Can it be trusted?' });
  await expect(trust).toContainText('Look-ahead tested');
  await trust.getByRole('button', { name: 'Verify bar by bar' }).click();
  await expect(trust).toContainText('Verified bar by bar', { timeout: 180_000 });
  expect(await violationsOf(page)).toEqual([]);

  // The bar at which the first trade was bought.
  const trades = page.getByRole('region', { name: 'Trades', exact: true });
  await trades.getByRole('button').first().click();
  await expect(page.getByRole('region', { name: 'What the strategy saw' })).toContainText('sma');

  await settings.getByLabel('Fast average').fill('10');
  await settings.getByRole('button', { name: 'Run backtest' }).click();
  await expect(page.getByRole('textbox', { name: 'Name of the backtest' })).toHaveAttribute(
    'placeholder',
    'Backtest 2',
  );
  await expect(figures).toContainText('Return');
  await page.getByRole('button', { name: 'All backtests' }).click();
  await page.getByLabel('Compare Backtest 1').check();
  await page.getByLabel('Compare Backtest 2').check();
  await expect(page.getByRole('region', { name: 'Comparison' })).toContainText('Max drawdown');
  expect(await violationsOf(page)).toEqual([]);

  await settings.getByRole('button', { name: 'More ways to test and run' }).click();
  await page.getByRole('menuitem', { name: 'Sweep over parameters…' }).click();
  const sweep = page.getByRole('dialog');
  await sweep.getByLabel('Fast average: step').fill('99');
  await sweep.getByLabel('Slow average: step').fill('198');
  await sweep.getByLabel('Only where').selectOption('Fast average');
  await sweep.getByLabel('is below').selectOption('Slow average');
  // 2, 101 and 200 with 5, 203 and nothing more: of six, 101 and 200 are not below 5.
  await expect(sweep).toContainText('4 combinations');
  await sweep.getByRole('button', { name: 'Start the sweep' }).click();
  const heat = page.getByRole('table', { name: 'Results by parameter' });
  await expect(page.getByRole('table', { name: 'Best' }).getByRole('row')).toHaveCount(5);
  await heat.getByRole('button').first().click();
  await expect(settings.getByLabel('Fast average')).toHaveValue('2');

  await page.getByText('Live', { exact: true }).click();
  await expect(run).not.toContainText('Waiting for the first', { timeout: 90_000 });
  await run.getByRole('button', { name: 'Compare with a backtest' }).click();
  const beside = run.getByRole('region', { name: 'Live beside its backtest' });
  await expect(beside.getByRole('table', { name: 'Live and backtest' })).toContainText('Orders that were filled');
  await expect(beside).toContainText(/orders were made by both.* only live, \d+ only in the backtest/);
  expect(await violationsOf(page)).toEqual([]);
  await run.getByRole('button', { name: 'Pause' }).click();
  await expect(run).toContainText('Paused');
  await run.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop the run' }).click();
  await expect(run).toContainText('Stopped');
  expect(await violationsOf(page)).toEqual([]);

  await page.getByRole('button', { name: /^Publish/ }).click();
  const publish = page.getByRole('dialog', { name: /Publish/ });
  await publish.getByLabel('Title').fill('Crossing averages');
  await publish.getByLabel('Public', { exact: true }).check();
  await publish.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page.getByText('Published.')).toBeVisible();
  await page.goto('/strategies');
  const card = page.getByRole('listitem').filter({ hasText: 'Crossing averages' });
  await expect(card).toContainText(/Look-ahead tested|Verified bar by bar/);
  expect(await violationsOf(page)).toEqual([]);
  await card.getByRole('link').click();
  await expect(page.getByRole('heading', { name: 'Can it be trusted?' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Strategy' })).toContainText('Verified bar by bar', {
    timeout: 180_000,
  });
  expect(await violationsOf(page)).toEqual([]);
});

test('a strategy in Python is created from a template, tested like any other, and says where it cannot be read', async ({
  page,
  signedUp: _,
}) => {
  const id = await makeProject(page.request, 'Breaking out', { template: 'strategy-breakout-python' });
  await page.goto(`/projects/${id}`);
  const settings = page.getByRole('complementary', { name: 'Settings of the backtest' });
  await expect(settings.getByLabel('Channel')).toHaveValue('48');
  await settings.getByLabel('From', { exact: true }).fill('2026-03-01');
  await settings.getByLabel('To', { exact: true }).fill('2026-05-31');
  await settings.getByRole('button', { name: 'Run backtest' }).click();
  await expect(page.getByRole('region', { name: 'Figures' })).toContainText('Buy and hold');
  const trust = page.getByRole('region', { name: 'Can it be trusted?' });
  await expect(trust).toContainText('Look-ahead tested');
  await trust.getByRole('button', { name: 'Verify bar by bar' }).click();
  await expect(trust).toContainText('Verified bar by bar', { timeout: 180_000 });
  const trades = page.getByRole('region', { name: 'Trades', exact: true });
  await trades.getByRole('button').first().click();
  await expect(page.getByRole('region', { name: 'What the strategy saw' })).toContainText('donchian');
  expect(await violationsOf(page)).toEqual([]);

  await page.getByText('Code', { exact: true }).click();
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('import os');
  await expect(page.getByRole('alert')).toContainText('Strategies cannot import os');
});

test('a strategy is tested on a file and walked forward; its results fit a phone, where its parts are tabs', async ({
  page,
  signedUp: _,
}) => {
  const id = await makeProject(page.request, 'From a file', { template: 'strategy-moving-average-cross' });
  await page.goto(`/projects/${id}`);
  const editor = page.locator('.cm-content');
  await editor.getByText('market.sma(p.fast)').first().hover();
  await editor.click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type('\n// market.cros');
  await expect(page.getByRole('option', { name: /crossesAbove/ })).toBeVisible();
  await page.keyboard.press('Escape');

  const bars = Array.from({ length: 2_000 }, (_, hour) => {
    const price = 100 + 20 * Math.sin(hour / 40) + hour / 100;
    const time = new Date(Date.UTC(2026, 0, 1, hour)).toISOString();
    return [time, price, price + 1, price - 1, price + 0.5, 10].join(',');
  });
  await page.locator('input[type=file][multiple]').setInputFiles({
    name: 'waves.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['time,open,high,low,close,volume', ...bars].join('\n')),
  });
  await expect(page.getByRole('treeitem', { name: /waves.csv/ })).toBeVisible();
  const settings = page.getByRole('complementary', { name: 'Settings of the backtest' });
  await settings.getByRole('combobox', { name: 'Source' }).click();
  await page.getByRole('option', { name: 'waves.csv' }).click();
  await settings.getByLabel('From', { exact: true }).fill('2026-01-05');
  await settings.getByLabel('To', { exact: true }).fill('2026-03-20');
  await settings.getByRole('button', { name: 'Costs, out of sample and more' }).click();
  await settings.getByRole('button', { name: 'Add a deposit' }).click();
  await settings.getByLabel('Day of deposit 1').fill('2026-02-01');
  await settings.getByRole('button', { name: 'Run backtest' }).click();
  await expect(page.getByRole('region', { name: 'Figures' })).toContainText('Buy and hold');

  await settings.getByRole('button', { name: 'More ways to test and run' }).click();
  await page.getByRole('menuitem', { name: 'Walk-forward…' }).click();
  const plan = page.getByRole('dialog');
  await plan.getByLabel('Fast average: step').fill('198');
  await plan.getByLabel('Slow average: step').fill('395');
  await plan.getByLabel('Windows').fill('2');
  await plan.getByRole('button', { name: 'Start the walk-forward' }).click();
  const folds = page.getByRole('table', { name: 'Walk-forward' });
  await expect(folds.getByRole('row')).toHaveCount(3);
  await expect(page.getByText(/Out of sample it made/)).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);

  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByRole('button', { name: 'All backtests' }).click();
  await page
    .getByRole('button', { name: /Backtest 1/ })
    .first()
    .click();
  await expect(page.getByRole('region', { name: 'Figures' })).toContainText('Sharpe');
  // Away from what explains itself.
  await page.mouse.move(0, 0);
  await expect(page.getByRole('tooltip')).toHaveCount(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  expect(await violationsOf(page)).toEqual([]);

  // Its parts are tabs there, and one that cannot be read says where.
  const small = await makeProject(page.request, 'Small', { template: 'strategy-grid' });
  await page.goto(`/projects/${small}`);
  await page.getByText('Settings', { exact: true }).last().click();
  await expect(page.getByRole('button', { name: 'Run backtest' })).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Markets' })).toBeVisible();
  await page.getByText('Code', { exact: true }).last().click();
  await editor.click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('export default nothing;');
  await expect(page.getByRole('alert')).toContainText(/nothing is not defined|strategy/);
  expect(await violationsOf(page)).toEqual([]);
});

test('a published strategy is followed, and copied to a portfolio with limits of one’s own', async ({
  page,
  another,
  signedUp: _,
}) => {
  const author = await another();
  const { request } = author.context;
  const post = (path: string, data: object) => call(request, 'POST', path, data);
  const { default_file_id: file } = await post('/notebooks', { name: 'Shared', template: 'strategy-rebalancing' });
  const settings = { from: '2026-03-01', to: '2026-04-30', timeframe: '1d', symbols: ['BTC/USDT', 'ETH/USDT'] };
  const tested = await post(`/strategies/${file}/backtests`, { request_id: crypto.randomUUID(), settings });
  const state = async () => (await call(request, 'GET', `/strategies/${file}/backtests/${tested.id}`)).state;
  await expect.poll(state).toBe('done');
  const { entries } = await call(request, 'GET', '/exchange_connections');
  await post(`/strategies/${file}/runs`, {
    ...{ connection_id: entries[0]?.id, capital: 1_000, request_id: crypto.randomUUID() },
    settings: { symbols: ['BTC/USDT', 'ETH/USDT'], timeframe: '1d' },
  });
  const title = `Half and half ${newPerson().userName}`;
  const { slug } = await publish(request, file, { title, payload: { shows_code: false } });
  await author.context.close();

  await page.goto('/strategies');
  await page.getByLabel('Running now').check();
  await page.getByRole('listitem').filter({ hasText: title }).getByRole('link').click();
  await expect(page).toHaveURL(new RegExp(`/strategies/${slug}`));
  const panel = page.getByRole('region', { name: 'Strategy', exact: true });
  await expect(panel).toContainText('DEMO');
  await panel.getByText('Backtest', { exact: true }).click();
  await panel.getByRole('button', { name: /30 days/ }).click();
  await expect(panel.getByRole('img', { name: /Growth/ })).toBeVisible();
  await expect(panel.getByRole('table', { name: 'Assets' })).toContainText('ETH');
  await panel.getByRole('button', { name: 'Follow signals' }).click();
  await expect(panel).toContainText('1 person follows it');
  expect(await violationsOf(page)).toEqual([]);

  await panel.getByRole('button', { name: 'Copy to a portfolio' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('DEMO');
  await dialog.getByLabel('Capital').fill('500');
  await dialog.getByLabel('Most in one order').fill('200');
  await dialog.getByLabel('Stop at a loss of').fill('10');
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Copy to the portfolio' }).click();
  await expect(page).toHaveURL(/\/portfolios\//);
  const run = page.getByRole('region', { name: /^Run on/ });
  await expect(run).toContainText('Running');
  await expect(run).toContainText(/stops at a loss of 10\s%/);
  await expect(run.getByRole('link', { name: title })).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await run.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop the run' }).click();
  await expect(run).toContainText('Stopped');
});
