import { violationsOf } from './axe.ts';
import { expect, phone, test } from './fixtures.ts';

test('on the demo: a market is found, an order previewed, placed, kept, canceled, and trading halted', async ({
  page,
  signedUp: _,
}) => {
  await page.goto('/exchanges');
  const demo = page.getByRole('article', { name: 'Demo' });
  await expect(demo).toContainText('10,000.00');
  await expect(demo).toContainText('DEMO');
  await expect(page.getByRole('listitem').filter({ hasText: 'Kraken' })).toContainText('Coming soon');
  expect(await violationsOf(page)).toEqual([]);

  await demo.getByRole('link', { name: 'Trade' }).click();
  await page.getByLabel('Search markets').fill('ether');
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.getByRole('button', { name: 'Add ETH to favorites' }).click();
  await expect(page.getByRole('button', { name: 'Remove ETH from favorites' })).toBeVisible();
  await page.getByRole('link', { name: /ETH/ }).click();

  await expect(page.getByRole('heading', { name: 'Ethereum (ETH)' })).toBeVisible();
  await expect(page.getByRole('img', { name: /candles, the last at/ })).toHaveAttribute('data-ready', 'true');
  // The price moves by itself.
  const shown = page.locator('[data-price]');
  await expect(shown).not.toHaveText((await shown.textContent()) ?? '');
  const form = page.getByRole('form', { name: 'Place an order' });
  const amount = form.getByLabel('Amount', { exact: true });
  await amount.fill('0.00001');
  await expect(form).toContainText('Amounts of ETH have 4 digits after the point');
  await amount.fill('500');
  await expect(form).toContainText('You have 10000 USDT');
  await expect(form.getByRole('button', { name: 'Buy ETH' })).toBeDisabled();
  await amount.fill('0.5');
  await expect(form).not.toContainText('You have 10000 USDT');
  await expect(form).toContainText(/Fee, about0\.\d+ USDT|Fee, about\d+\.\d+ USDT/);
  await form.getByRole('button', { name: 'Buy ETH' }).click();
  await expect(page.getByText('Buy 0.5 ETH: filled.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Statistics' })).toContainText('0.4995 ETH');

  await form.getByLabel('Type').selectOption('Limit');
  const price = await page.getByRole('button', { name: /^Bid:/ }).last().getAttribute('aria-label');
  const far = (Number(price?.split(' ')[1]?.replace(',', '')) * 0.9).toFixed(2);
  await form.getByLabel('Price, USDT').fill(far);
  await amount.fill('0.2');
  await form.getByRole('button', { name: 'Buy ETH' }).click();
  const orders = page.getByRole('region', { name: 'Orders' });
  const open = orders.getByRole('row', { name: /Limit/ });
  await expect(open).toContainText('Open');
  await open.getByRole('button', { name: 'Cancel' }).click();
  await expect(open).toContainText('Canceled');
  await expect(orders.getByRole('row', { name: /Market/ })).toContainText('Filled');
  expect(await violationsOf(page)).toEqual([]);

  await page.goto('/portfolios');
  await page.getByRole('button', { name: 'Create portfolio' }).first().click();
  await page.getByRole('dialog').getByLabel('Name').fill('Long run');
  await page.getByRole('dialog').getByLabel(/^Demo/).check();
  await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Long run' })).toBeVisible();
  await expect(page.getByRole('row', { name: /^ETH/ })).toContainText('0.4995');
  await expect(page.getByRole('region', { name: 'Returns' })).toContainText('too short to say');
  await page.getByRole('button', { name: 'Targets' }).click();
  await page.getByLabel('Share of ETH').fill('50');
  await page.getByRole('button', { name: 'Save targets' }).click();
  await expect(page.getByRole('row', { name: /^ETH/ })).toContainText('50.0 %');
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Rebalance' }).click();
  await expect(page.getByRole('dialog')).toContainText('Buy ETH/USDT');
  await page.getByRole('button', { name: 'Place orders' }).click();
  await expect(page.getByText('1 order placed.')).toBeVisible();
  await expect(page.getByRole('dialog')).toContainText('Filled');
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await expect(page.getByRole('dialog', { name: /Share/ })).toBeVisible();
  await page.keyboard.press('Escape');
  const entry = page.getByRole('form', { name: 'New entry' });
  await entry.getByLabel('Amount').fill('250');
  await entry.getByRole('button', { name: 'Add entry' }).click();
  await expect(page.getByRole('button', { name: 'Delete Deposit 250 USDT' })).toBeVisible();

  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const publish = page.getByRole('dialog');
  await expect(publish.getByLabel('Show code')).toHaveCount(0);
  const slug = await publish.getByLabel('Address').inputValue();
  await publish.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(publish.getByRole('button', { name: 'Unpublish' })).toBeVisible();
  await page.goto(`/publications/pasas/${slug}`);
  await expect(page.getByRole('heading', { name: 'Allocation' })).toBeVisible();
  await expect(page.getByRole('article')).not.toContainText('10,000');
  expect(await violationsOf(page)).toEqual([]);

  await page.setViewportSize(phone);
  await page.goto('/portfolios?theme=dark');
  await expect(page.getByRole('list', { name: 'Portfolios' })).toContainText('Long run');
  expect(await violationsOf(page)).toEqual([]);
  await page.goto('/exchanges?theme=dark');
  await demo.getByRole('button', { name: 'Halt' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Halt trading' }).click();
  await expect(demo).toContainText('Halted');
  await page.goto('/tokens/demo-ETH');
  await form.getByLabel('Amount', { exact: true }).fill('0.1');
  await expect(form.getByRole('alert')).toContainText('Trading is halted on this connection');
  await page.goto('/exchanges');
  await demo.getByRole('button', { name: 'Resume' }).click();
  await expect(demo).toContainText('Active');
  await demo.getByRole('button', { name: 'More about Demo' }).click();
  await page.getByRole('menuitem', { name: 'Limits' }).click();
  await page.getByLabel('Most for one order, USDT').fill('100');
  await page.getByRole('button', { name: 'Save limits' }).click();
  await expect(page.getByText('Limits saved.')).toBeVisible();
  await page.goto('/exchanges?tab=orders');
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'csv' }).click();
  expect((await download).suggestedFilename()).toBe('transactions.csv');
  expect(await violationsOf(page)).toEqual([]);
});
