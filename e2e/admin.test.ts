import { violationsOf } from './axe.ts';
import { api, call, expect, newPerson, password, test } from './fixtures.ts';

test('an admin finds a person, gives them a role and a plan, acts as them, suspends them, and the log has it all', async ({
  page,
  another,
  asAdmin: _,
}) => {
  const { page: theirs, ...person } = await another();
  await theirs.goto('/dashboard');

  await page.goto('/admin');
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
  await expect(page.getByText('Database')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Undelivered mail' })).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);

  const admin = page.getByRole('navigation', { name: 'Admin' });
  await admin.getByRole('link', { name: 'Roles' }).click();
  await page.getByRole('button', { name: 'Create role' }).click();
  const dialog = page.getByRole('dialog');
  const role = `Beta ${person.userName.slice(-6)}`;
  await dialog.getByLabel('Name').fill(role);
  await dialog.getByRole('combobox', { name: 'Turned on' }).fill('export');
  await page.getByRole('option', { name: 'Export' }).click();
  await dialog.getByLabel('Projects').fill('many');
  await dialog.getByRole('button', { name: 'Create role' }).click();
  await expect(dialog.getByText('Enter a whole number or “unlimited”')).toBeVisible();
  await dialog.getByLabel('Projects').fill('40');
  await dialog.getByRole('button', { name: 'Create role' }).click();
  const row = page.getByRole('row', { name: new RegExp(role) });
  await expect(row).toContainText('Export on');
  await expect(row).toContainText('Projects: 40');

  await admin.getByRole('link', { name: 'Users' }).click();
  await page.getByLabel('Search users').fill(person.userName);
  await page
    .getByRole('row', { name: new RegExp(person.userName) })
    .getByRole('link')
    .click();
  await page.getByRole('combobox', { name: 'Roles' }).click();
  await page.getByRole('option', { name: role }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('row', { name: /^Export/ })).toContainText(`Role ${role}`);
  const limits = page.getByRole('table', { name: 'Limits of this person' });
  await expect(limits.getByRole('row', { name: `Projects 40 Role ${role}` })).toBeVisible();
  page.on('dialog', (question) => question.accept());
  await page.getByLabel('Plan', { exact: true }).selectOption('Pro');
  await expect(page.getByText('Plan changed', { exact: true })).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);

  const url = page.url();
  await page.getByRole('button', { name: 'Act as this person' }).click();
  await dialog.getByRole('button', { name: 'Act as this person' }).click();
  await expect(dialog.getByText('Say why')).toBeVisible();
  await dialog.getByLabel('Reason').fill('Ticket 12');
  await dialog.getByRole('button', { name: 'Act as this person' }).click();
  const banner = page.getByText(`You are acting as @${person.userName}`);
  await expect(banner).toContainText('You can read their pages but change nothing.');
  expect(await violationsOf(page)).toEqual([]);
  const renamed = await page.request.patch(`${api}/settings`, { data: { headline: 'Set by an admin' } });
  expect(renamed.status()).toBe(403);
  await page.goto('/admin');
  await expect(page.getByText('Only admins can open the admin area.')).toBeVisible();
  await page.goto('/wallet');
  await expect(page.getByText('You do not have permission to do this.')).toBeVisible();
  await page.goto('/profile');
  await expect(banner).toBeVisible();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(page).toHaveURL(url);
  await expect(banner).toBeHidden();

  await page.getByRole('button', { name: 'Suspend' }).click();
  await dialog.getByLabel('Message').fill('Please write to us.');
  await dialog.getByRole('button', { name: 'Suspend' }).click();
  await expect(page.getByRole('button', { name: 'Lift suspension' })).toBeVisible();
  await expect(theirs.getByText('Your session has ended')).toBeVisible();
  const again = await theirs.request.post(`${api}/sign_in`, { data: { email: person.email, password } });
  expect((await again.json()).message).toBe('Please write to us.');

  await page.getByRole('link', { name: 'Show all' }).click();
  const log = page.getByRole('table', { name: 'Action log' });
  for (const words of ['User suspended', 'User unmasked', 'User masked', 'plan: Free → Pro', `roles: []`])
    await expect(log).toContainText(words);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download CSV' }).click();
  expect((await download).suggestedFilename()).toBe('action-log.csv');
});

test('a feature is turned off for everyone, with a message; a funnel shows how many people went on', async ({
  page,
  asAdmin: _,
}) => {
  await page.goto('/admin/features');
  await page.getByLabel('Search features').fill('excel');
  const everyone = page.getByLabel('Excel for everyone');
  await everyone.selectOption('Off');
  await page.getByLabel('Message for people without Excel').fill('Comes next month.');
  await page.getByLabel('Message for people without Excel').press('Tab');
  const excel = async () => (await call(page.request, 'GET', '/me?with_features=true')).features.excel;
  await expect.poll(excel).toMatchObject({ enabled: false, message: 'Comes next month.' });
  await everyone.selectOption('Default');
  await expect.poll(excel).toMatchObject({ enabled: true });

  await page.goto('/admin/tracking?steps=page.view,cell.run');
  const steps = page.getByRole('list', { name: 'Steps of the funnel' });
  await expect(steps.getByRole('listitem')).toHaveCount(2);
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Remove step 2' }).click();
  await expect(page.getByText('Choose two to five events in order')).toBeVisible();
  // Told live: what this very page sends is in the list without loading it anew.
  await expect(page.getByRole('table', { name: 'Events' })).toContainText('page.view');
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download CSV' }).click();
  expect((await download).suggestedFilename()).toBe('tracking.csv');
});

test('plans, vouchers, channels and jobs are changed by an admin; lists have pages, and say when there is nothing', async ({
  page,
  chats,
  asAdmin: _,
}) => {
  const tag = newPerson().userName;
  page.on('dialog', (question) => question.accept());
  const make = (path: string, data: object) => call(page.request, 'POST', `/admin/${path}`, data);

  await page.goto('/admin/trading-bots');
  await page.getByRole('button', { name: 'Add channel' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Title').fill(tag);
  await dialog.getByRole('button', { name: 'Add channel' }).click();
  await expect(dialog.getByText('Enter the id of the chat')).toBeVisible();
  await dialog.getByLabel('Telegram chat id').fill('-100');
  await dialog.getByLabel('Posts').selectOption('Alarms');
  await dialog.getByLabel('Periodic updates').selectOption('Every hour');
  await dialog.getByRole('button', { name: 'Add channel' }).click();
  const channel = page.getByRole('row', { name: new RegExp(tag) });
  await expect(channel).toContainText('Every hour');
  await channel.getByRole('button', { name: 'Test' }).click();
  await expect(page.getByText('A test message is on its way')).toBeVisible();
  const posted = () => chats.asked.some(({ path, body }) => path.endsWith('/sendMessage') && body.includes(tag));
  await expect.poll(posted).toBe(true);
  await channel.getByRole('button', { name: 'Edit' }).click();
  await dialog.getByLabel('Periodic updates').selectOption('None');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(channel).not.toContainText('Every hour');
  const isEnabled = channel.getByRole('switch', { name: `${tag} enabled` });
  await isEnabled.click({ force: true });
  await expect(isEnabled).not.toBeChecked();
  await channel.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Channel deleted')).toBeVisible();
  await expect(channel).toHaveCount(0);

  await page.goto('/admin');
  await page.getByLabel('From this installation').fill('6000');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/Today [\d,]+ of 6,000 sent/)).toBeVisible();

  const limits = { max_number_of_projects: 5, max_execution_time: 3_600, longest_run: 3_600, tier: 'l1' };
  await make('rate_plans', { title: tag, price: 100, annual_price: 1_000, ...limits });
  await page.goto('/admin/plans');
  const plan = page.getByRole('row', { name: new RegExp(tag) });
  await plan.getByRole('button', { name: 'Withdraw' }).click();
  await expect(plan).toContainText('Withdrawn');

  for (let number = 0; number < 21; number++) await make('vouchers', { units: 1, note: `${tag} ${number}` });
  await page.goto('/admin/units');
  await page.getByRole('button', { name: 'Create voucher' }).click();
  await dialog.getByLabel('Units').fill('5');
  await dialog.getByLabel('Note').fill(`${tag} own`);
  await dialog.getByRole('button', { name: 'Create voucher' }).click();
  await expect(dialog.getByText('The code is shown this once. Copy it now.')).toBeVisible();
  await page.keyboard.press('Escape');
  const vouchers = page.getByRole('table', { name: 'Vouchers' });
  await expect(vouchers).toContainText(`${tag} own`);
  await page.getByRole('navigation', { name: 'Pages of vouchers' }).getByRole('button', { name: 'Next' }).click();
  await expect(vouchers).not.toContainText(`${tag} own`);
  expect(await violationsOf(page)).toEqual([]);

  await page.goto('/admin/subscriptions?search=%25');
  await expect(page.getByText('No subscriptions match.')).toBeVisible();
  await page.goto('/admin/jobs');
  await expect(page.getByRole('table', { name: 'Jobs' })).toBeVisible();
  await page.getByLabel('State').selectOption('failed');
  await expect(page).toHaveURL(/state=failed/);
  await page.goto('/admin/usage');
  await page.getByLabel('Group').selectOption({ index: 1 });
  await expect(page).toHaveURL(/group=/);
  await page.goto('/admin/kernels');
  await expect(page.getByRole('heading', { name: 'Kernels' })).toBeVisible();
});
