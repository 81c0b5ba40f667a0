import { violationsOf } from './axe.ts';
import { adminCredentials, call, expect, phone, test } from './fixtures.ts';

test('a voucher fills the wallet, and the units buy a plan that can be canceled', async ({
  page,
  playwright,
  baseURL,
  signedUp: _,
}) => {
  const admin = await playwright.request.newContext({ baseURL });
  await call(admin, 'POST', '/sign_in', adminCredentials);
  const { code } = await call(admin, 'POST', '/admin/vouchers', { units: 5_000, note: 'Workshop' });
  await admin.dispose();

  await page.goto('/pricing');
  const plans = page.getByRole('list', { name: 'Plans' });
  const plan = (name: string) => plans.getByRole('listitem', { name });
  await expect(plan('Free').getByRole('button', { name: 'Your plan' })).toBeDisabled();
  await plan('Pro').getByRole('button', { name: 'Choose Pro' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Pro begins now. You pay 2,900 units. Your balance is 0 units.');
  await dialog.getByRole('link', { name: 'Add units' }).click();

  await expect(page.getByText('No entries yet.')).toBeVisible();
  await page.getByLabel('Voucher code').fill('WRONG-CODE');
  await page.getByRole('button', { name: 'Redeem voucher' }).click();
  await expect(page.getByText('There is no voucher with this code.')).toBeVisible();
  await page.getByLabel('Voucher code').fill(code.toLowerCase());
  await page.getByRole('button', { name: 'Redeem voucher' }).click();
  await expect(page.getByRole('region', { name: 'Balance' })).toContainText('5,000 units');
  await expect(page.getByRole('row', { name: /Workshop/ })).toContainText('+5,000');
  expect(await violationsOf(page)).toEqual([]);

  await page.getByRole('link', { name: 'See plans' }).click();
  await plan('Pro').getByRole('button', { name: 'Choose Pro' }).click();
  await dialog.getByRole('button', { name: 'Pay 2,900 units' }).click();
  await expect(plan('Pro')).toContainText('Your plan');
  await expect(page.getByText(/^Pro renews on/)).toBeVisible();
  await page.getByText('Yearly', { exact: true }).click();
  await expect(plan('Expert')).toContainText('99,000 units a year');
  await page.getByText('Monthly', { exact: true }).click();
  await plan('Free').getByRole('button', { name: 'Choose Free' }).click();
  await dialog.getByRole('button', { name: 'Cancel subscription' }).click();
  await expect(page.getByText(/^Pro is canceled and ends on/)).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);

  await page.setViewportSize(phone);
  await page.goto('/wallet?theme=dark');
  await expect(page.getByRole('region', { name: 'Balance' })).toContainText('2,100 units');
  await page.getByLabel('Kind').selectOption('subscription');
  await expect(page.getByRole('row')).toHaveCount(2);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download CSV' }).click();
  expect((await download).suggestedFilename()).toBe('wallet.csv');
  await page.getByLabel('Kind').selectOption('refund');
  await expect(page.getByText('No entries match.')).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
});

test('units are bought with Stripe, and buy execution time', async ({ page, signedUp: _ }) => {
  await page.goto('/usage');
  await expect(page.getByRole('region', { name: 'Quota' })).toContainText('0 s of 10 h');
  const extension = page.getByRole('region', { name: 'Execution time extension' });
  await expect(extension).toContainText('5 hours cost 100 units.');
  await extension.getByRole('link', { name: 'Add units' }).click();

  const status = page.getByRole('status').filter({ hasText: 'ayment' });
  const buy = (name: string) => page.getByRole('button', { name });
  await page.getByText('500', { exact: true }).click();
  await buy('Buy 500 units for $5.00').click();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(status).toContainText('Payment canceled');
  await expect(page.getByRole('region', { name: 'Balance' })).toContainText('0 units');
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('link', { name: 'Try again' }).click();
  await page.getByRole('link', { name: 'Pay', exact: true }).click();
  await expect(status).toContainText('500 units are in your wallet.');
  await expect(page.getByRole('region', { name: 'Balance' })).toContainText('500 units');
  await expect(page.getByRole('row', { name: /Units bought/ })).toContainText('+500');

  await page.getByText('Other', { exact: true }).click();
  await page.getByLabel('Number of units').fill('50');
  await expect(buy('Buy units')).toBeDisabled();
  await page.getByLabel('Number of units').fill('1234');
  await buy('Buy 1,234 units for $12.34').click();
  await page.getByRole('link', { name: 'Pay by transfer' }).click();
  await expect(status).toContainText('1,234 units are added as soon as the payment is confirmed.');

  await page.getByRole('link', { name: 'See usage' }).first().click();
  await extension.getByLabel('Hours').fill('2');
  await extension.getByRole('button', { name: 'Pay 40 units' }).click();
  await expect(extension).toContainText('2 h');
  await expect(extension).toContainText('460 units');
  await expect(page.getByText('No execution time was used.')).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
});
