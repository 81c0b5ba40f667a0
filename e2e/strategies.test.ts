import { violationsOf } from './axe.ts';
import { expect, test } from './fixtures.ts';

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
  await settings.getByLabel('From', { exact: true }).fill('2026-03-01');
  await settings.getByLabel('To', { exact: true }).fill('2026-05-31');
  await settings.getByRole('button', { name: 'Run backtest' }).click();
  const figures = page.getByRole('region', { name: 'Figures' });
  await expect(figures).toContainText('Buy and hold');
  await expect(figures).toContainText('Deflated Sharpe');
  await expect(page.getByRole('img', { name: /Equity over time/ })).toHaveAttribute('data-ready', 'true');
  const trust = page.getByRole('region', { name: 'Can it be trusted?' });
  await expect(trust).toContainText('Look-ahead test passed');
  await trust.getByRole('button', { name: 'Compute again' }).click();
  await expect(trust).toContainText('computed again with the same result');
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
  await page.getByRole('dialog').getByLabel('Values of each').fill('3');
  await page.getByRole('dialog').getByRole('button', { name: 'Start the sweep' }).click();
  const heat = page.getByRole('table', { name: 'Results by parameter' });
  await heat.getByRole('button').first().click();
  await expect(settings.getByLabel('Fast average')).toHaveValue('2');

  await settings.getByRole('button', { name: 'More ways to test and run' }).click();
  await page.getByRole('menuitem', { name: 'Run live…' }).click();
  await expect(page.getByRole('dialog')).toContainText('DEMO');
  await page.getByRole('dialog').getByRole('button', { name: 'Run the strategy' }).click();
  const run = page.getByRole('region', { name: /^Run on/ });
  await expect(run).toContainText('Running');
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
  await expect(card).toContainText('Look-ahead passed');
  expect(await violationsOf(page)).toEqual([]);
  await card.getByRole('link').click();
  await expect(page.getByRole('heading', { name: 'Can it be trusted?' })).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
});

test('a strategy that cannot be read says where, and on a phone its parts are tabs', async ({ page, signedUp: _ }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto('/projects');
  const made = await page.request.post('/api/atoll/v1/notebooks', {
    data: { name: 'Small', template: 'strategy-grid' },
  });
  const { id } = (await made.json()) as { id: string };
  await page.goto(`/projects/${id}`);
  await page.getByText('Settings', { exact: true }).last().click();
  await expect(page.getByRole('button', { name: 'Run backtest' })).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Markets' })).toBeVisible();
  await page.getByText('Code', { exact: true }).last().click();
  const editor = page.locator('.cm-content');
  await editor.click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('export default nothing;');
  await expect(page.getByRole('alert')).toContainText(/nothing is not defined|strategy/);
  expect(await violationsOf(page)).toEqual([]);
});

test('a strategy in Python is created from a template, tested like any other, and says where it cannot be read', async ({
  page,
  signedUp: _,
}) => {
  await page.goto('/projects');
  const made = await page.request.post('/api/atoll/v1/notebooks', {
    data: { name: 'Breaking out', template: 'strategy-breakout-python' },
  });
  const { id } = (await made.json()) as { id: string };
  await page.goto(`/projects/${id}`);
  const settings = page.getByRole('complementary', { name: 'Settings of the backtest' });
  await expect(settings.getByLabel('Channel')).toHaveValue('48');
  await settings.getByLabel('From', { exact: true }).fill('2026-03-01');
  await settings.getByLabel('To', { exact: true }).fill('2026-05-31');
  await settings.getByRole('button', { name: 'Run backtest' }).click();
  await expect(page.getByRole('region', { name: 'Figures' })).toContainText('Buy and hold');
  const trust = page.getByRole('region', { name: 'Can it be trusted?' });
  await expect(trust).toContainText('Look-ahead test passed');
  await trust.getByRole('button', { name: 'Compute again' }).click();
  await expect(trust).toContainText('computed again with the same result');
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
