import { violationsOf } from './axe.ts';
import { call, complaintsOf, expect, makeProject, phone, test } from './fixtures.ts';

const main = { create_main_file: true };

test('a project is shared with somebody on a phone, who finds it, opens it, loses it and becomes its owner', async ({
  page,
  context,
  another,
  baseURL,
  signedUp: owner,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const complaints = complaintsOf(page);
  const { page: theirs, ...bob } = await another({ viewport: phone });
  await theirs.goto('/projects?mode=shared');
  await expect(theirs.getByRole('heading', { level: 1 })).toBeVisible();

  const id = await makeProject(page.request, 'Tides and currents', main);
  await page.goto(`/projects/${id}`);
  await page.getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share “Tides and currents”' });
  await expect(dialog.getByText('Only people with access')).toBeVisible();
  await expect(dialog.getByRole('textbox', { name: 'Find people' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'Share' }).click();
  await dialog.getByRole('textbox', { name: 'Find people' }).fill(bob.userName);
  await dialog.getByLabel('Role').selectOption('Viewer');
  await dialog.getByRole('textbox', { name: 'Find people' }).click();
  await dialog.getByRole('option', { name: `@${bob.userName}`, exact: false }).click();
  const row = dialog.getByRole('list', { name: 'People with access' }).getByRole('listitem');
  await expect(row).toHaveCount(2);
  await expect(row.nth(1)).toContainText(`@${bob.userName}`);

  // It is there without a reload, and opens read only.
  await theirs.getByRole('link', { name: 'Tides and currents' }).first().click();
  await expect(theirs.getByRole('heading', { level: 1, name: 'Tides and currents' })).toBeVisible();
  await expect(theirs.getByText('Read only')).toBeVisible();

  await row.nth(1).getByRole('combobox').selectOption('Editor');
  await expect(theirs.getByText('Read only')).toBeHidden();
  await row.nth(1).getByRole('combobox').selectOption('Custom…');
  const boxes = dialog.getByRole('group', { name: /^Permissions of/ });
  await expect(boxes.getByRole('checkbox', { name: 'Edit' })).toBeChecked();
  await boxes.getByRole('checkbox', { name: 'Edit' }).uncheck();
  await boxes.getByRole('checkbox', { name: 'Listed as author' }).check();
  expect(await violationsOf(page)).toEqual([]);
  await boxes.getByRole('button', { name: 'Save' }).click();
  await expect(theirs.getByText('Read only')).toBeVisible();
  await expect(row.nth(1).getByRole('combobox')).toHaveValue('custom');

  await dialog.getByRole('button', { name: 'Copy link', exact: true }).click();
  await expect(dialog.getByText('Copied')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${baseURL}/projects/${id}`);
  const counted = async () => (await call(page.request, 'GET', `/notebooks/${id}`)).stats.share_count;
  await expect.poll(counted).toBe(2);

  // Whoever may not share can pass on the link, or leave.
  await theirs.getByRole('button', { name: 'Share' }).click();
  const other = theirs.getByRole('dialog', { name: /^Share/ });
  await expect(other.getByText(`Only ${owner.userName} can share`)).toBeVisible();
  await expect(other.getByRole('button', { name: 'Leave', exact: true })).toBeVisible();
  expect(await violationsOf(theirs)).toEqual([]);
  await theirs.keyboard.press('Escape');

  await dialog.getByRole('button', { name: /^Remove/ }).click();
  await expect(theirs.getByRole('heading', { name: 'You no longer have access to this project' })).toBeVisible();
  await expect(row).toHaveCount(1);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row).toHaveCount(2);
  await page.keyboard.press('Escape');

  // It is handed over when its next owner accepts, who reads the code before it gets their secrets.
  await page.getByRole('button', { name: 'Actions for Tides and currents' }).click();
  await page.getByRole('menuitem', { name: 'Transfer ownership…' }).click();
  const transfer = page.getByRole('dialog', { name: 'Transfer ownership' });
  await transfer.getByLabel('New owner').fill(bob.userName);
  await transfer.getByLabel('Type “Tides and currents” to confirm').fill('Tides and currents');
  expect(await violationsOf(page)).toEqual([]);
  await transfer.getByRole('button', { name: 'Send offer' }).click();
  const waiting = page.getByRole('region', { name: 'Offer' });
  await expect(waiting).toContainText('Waiting for');
  await waiting.getByRole('button', { name: 'Withdraw offer' }).click();
  await expect(waiting).toBeHidden();
  await call(page.request, 'PATCH', `/notebooks/${id}/owner`, { recipient: bob.userName });
  await expect(waiting).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);

  await theirs.goto('/projects');
  await theirs
    .getByRole('list', { name: 'Projects offered to you' })
    .getByRole('link', { name: 'Tides and currents' })
    .click();
  await expect(theirs.getByRole('region', { name: 'Offer' })).toContainText('offers you this project');
  expect(await violationsOf(theirs)).toEqual([]);
  expect(complaints).toEqual([]);
  await theirs.getByRole('button', { name: 'Accept Tides and currents' }).click();
  const unread = theirs.getByRole('region', { name: 'Code of others' });
  await unread.getByRole('button', { name: 'I have read the code' }).click();
  await expect(unread).toBeHidden();
  await expect(theirs.getByText('Read only')).toBeHidden();
  await expect(page.getByRole('heading', { name: 'You no longer have access to this project' })).toBeVisible();
});

test('anyone with the view link can view, until it is renewed or ended', async ({ page, stranger, signedUp: _ }) => {
  const id = await makeProject(page.request, 'Unlisted tides', main);
  await page.goto(`/projects/${id}`);
  await page.getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog', { name: /^Share/ });
  const link = dialog.getByRole('region', { name: 'View link' });
  await link.getByRole('button', { name: 'Create link' }).click();
  const address = link.getByLabel('Address of the view link');
  await expect(address).toHaveValue(/#link=[\w-]{43}$/);
  const first = await address.inputValue();
  expect(await violationsOf(page)).toEqual([]);

  const guest = await stranger();
  await guest.goto(`/projects/${id}`);
  await expect(guest.getByRole('heading', { name: 'You do not have access' })).toBeVisible();
  await guest.goto('/about');
  await guest.goto(first);
  await expect(guest.getByRole('heading', { level: 1, name: 'Unlisted tides' })).toBeVisible();
  await expect(guest.getByText('Read only')).toBeVisible();
  expect(guest.url()).not.toContain('link=');
  await expect(guest.locator('meta[name="robots"]')).toHaveAttribute('content', 'noindex');

  await link.getByRole('button', { name: 'Renew link' }).click();
  await expect(address).not.toHaveValue(first);
  await expect(guest.getByRole('heading', { name: 'You no longer have access to this project' })).toBeVisible();
  await guest.goto('/about');
  await guest.goto(await address.inputValue());
  await expect(guest.getByRole('heading', { level: 1, name: 'Unlisted tides' })).toBeVisible();
  await link.getByRole('button', { name: 'End link' }).click();
  await expect(guest.getByRole('heading', { name: 'You no longer have access to this project' })).toBeVisible();
  await expect(link.getByRole('button', { name: 'Create link' })).toBeVisible();
});

test('a public project whose files are hidden has a page, and access to it can be requested', async ({
  page,
  another,
  signedUp: owner,
}) => {
  const hidden = { description: 'High and low water', visibility: 'public', hides_source: true };
  const id = await makeProject(page.request, 'Shown tides', hidden);
  const { page: visitor } = await another();
  await visitor.goto(`/projects/${id}`);
  await expect(visitor.getByText('High and low water')).toBeVisible();
  await expect(visitor.getByText(`@${owner.userName}`)).toBeVisible();
  await expect(visitor.getByText('Nothing is published yet.')).toBeVisible();
  expect(await violationsOf(visitor)).toEqual([]);
  await visitor.getByRole('button', { name: 'Request access' }).click();
  await visitor.getByLabel('Why you need access').fill('For the report');
  await visitor.getByRole('button', { name: 'Request access' }).click();
  await expect(visitor.getByText('Access requested.')).toBeVisible();
  await page.goto(`/projects/${id}?panel=share`);
  const dialog = page.getByRole('dialog', { name: /^Share/ });
  await expect(dialog.getByText('For the report')).toBeVisible();
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await expect(visitor.getByText('This project is empty')).toBeVisible();
});
