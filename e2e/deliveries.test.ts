import type { Page } from '@playwright/test';
import { violationsOf } from './axe.ts';
import { call, expect, makeFile, makeProject, publish, test } from './fixtures.ts';
import { code, notebook, slow, text } from './notebook-page.ts';

/** The address of a report, with a notebook of this cell. */
async function published(page: Page, title: string, cell: object): Promise<string> {
  const file = await makeFile(page.request, await makeProject(page.request), 'week.ipynb', notebook(cell));
  return (await publish(page.request, file, { title })).slug;
}

test('a report is sent by mail to a recipient who confirms, opened again from the log, and a reader subscribes and stops it', async ({
  page,
  signedUp,
  server,
  stranger,
}) => {
  const title = `Week of ${signedUp.userName}`;
  const { link } = await server.mailTo(signedUp.email);
  const slug = await published(page, title, text('# Week\n\nCalm.', 'a'));
  await page.goto(`/reports/notebooks/${slug}`);
  await expect(page.getByText('Confirm your e-mail address to get this report by mail.')).toBeVisible();
  await page.getByRole('button', { name: 'Add recipients' }).click();
  const dialog = page.getByRole('dialog', { name: 'Deliver report' });
  await dialog.getByRole('switch', { name: 'Mail' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Enter an address')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Addresses' }).fill(`nonsense, harbour-${signedUp.userName}@example.org`);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Must be an e-mail address')).toBeVisible();
  const address = `harbour-${signedUp.userName}@example.org`;
  await dialog.getByRole('textbox', { name: 'Addresses' }).fill(address);
  await dialog.getByRole('textbox', { name: 'Message' }).fill('As every week');
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Confirm your e-mail address first')).toBeVisible();
  await call(page.request, 'POST', '/email_confirmation/redeem', { token: link.split('#token=')[1] });
  await dialog.getByRole('button', { name: 'Save' }).click();
  const targets = page.getByRole('list', { name: 'Targets' });
  await expect(targets).toContainText(`${address} · waiting for confirmation`);

  // The recipient needs no account.
  const reader = await stranger();
  await reader.goto((await server.mailTo(address)).link);
  await expect(reader.getByRole('heading', { name: 'Get reports of Ada Lovelace?' })).toBeVisible();
  expect(await violationsOf(reader)).toEqual([]);
  await reader.getByRole('button', { name: 'Confirm reports' }).click();
  await expect(reader.getByRole('heading', { name: 'Reports confirmed' })).toBeVisible();
  await expect(targets).toContainText(`${address} · confirmed`);
  await page.getByRole('button', { name: 'Send now' }).click();
  const log = page.getByRole('region', { name: 'Past deliveries' });
  await expect(log).toContainText('Delivered', slow);
  await log.getByText('Version 1, 1 page').click();
  await expect(log).toContainText(`Mail: ${address} · sent`);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    log.getByRole('link', { name: 'Open what was sent' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe(`${slug}.pdf`);
  const mail = await server.mailTo(address);
  expect(mail.subject).toContain(title);
  expect(await violationsOf(page)).toEqual([]);

  await reader.goto(mail.link);
  await reader.getByRole('button', { name: 'Stop this report' }).click();
  await expect(reader.getByRole('heading', { name: 'Unsubscribed' })).toBeVisible();
  await page.getByRole('button', { name: 'Send now' }).click();
  await expect(page.getByText('It has no target yet')).toBeVisible();

  // Readers with a confirmed address subscribe.
  await page.reload();
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await expect(page.getByText(`You get this report by mail, at ${signedUp.email}.`)).toBeVisible();
  await page.getByRole('button', { name: 'Send now' }).click();
  await expect.poll(async () => (await server.mailTo(signedUp.email)).subject, slow).toContain(title);
  await page.getByRole('button', { name: 'Unsubscribe' }).click();
  await expect(page.getByText('Get this report by mail each time it is delivered.')).toBeVisible();
});

test('a publication is scheduled with Slack and Telegram as its targets, and goes there when it has run', async ({
  page,
  signedUp,
  chats,
}) => {
  const title = `Calm of ${signedUp.userName}`;
  const slug = await published(page, title, code('print("calm")', 'a'));
  await page.goto(`/reports/notebooks/${slug}`);
  await page.getByRole('button', { name: 'Add recipients' }).click();
  const dialog = page.getByRole('dialog', { name: 'Deliver report' });
  await dialog.getByRole('switch', { name: 'Slack' }).click();
  await dialog.getByRole('textbox', { name: 'Channel' }).fill('C0123456789');
  await dialog.getByRole('switch', { name: 'Telegram' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Choose a chat', { exact: true }).last()).toBeVisible();
  await dialog.getByRole('button', { name: 'Link a chat' }).click();
  const link = await dialog.getByText(/^\/link /).textContent();
  expect(await violationsOf(page)).toEqual([]);
  chats.write({ chat: { id: -100200, type: 'channel', title: 'Tides' }, text: link ?? '' });
  await expect(dialog.getByRole('list', { name: 'Linked chats' })).toContainText('Tides', slow);
  await dialog.getByRole('combobox', { name: 'Chat' }).selectOption('Tides');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Enter the token of a Slack app')).toBeVisible();
  await dialog.getByLabel('Bot token').fill('xoxb-of-the-harbour');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('list', { name: 'Targets' })).toHaveText(/Slack: C0123456789.*Telegram: Tides/);

  await page.getByRole('button', { name: 'Schedule…' }).click();
  const schedule = page.getByRole('dialog', { name: 'Schedule publication and delivery' });
  await schedule.getByLabel('Interval').selectOption('day');
  await schedule.getByRole('button', { name: 'Create schedule' }).click();
  await expect(page.getByText('Schedule saved.')).toBeVisible();
  await page.goto('/automation');
  const row = page.getByRole('list', { name: 'Schedules' }).getByRole('listitem', { name: title });
  await expect(row).toContainText('Publication');
  await row.getByRole('button', { name: 'Run now' }).click();
  await expect(row).toContainText('Succeeded', slow);

  await page.goto(`/reports/notebooks/${slug}`);
  const log = page.getByRole('region', { name: 'Past deliveries' });
  await expect(log).toContainText('Delivered');
  await log.getByText('Version 2, 1 page').click();
  await expect(log).toContainText('Slack: C0123456789 · sent');
  await expect(log).toContainText('Telegram: -100200 · sent');
  const sent = (path: string) => chats.asked.filter((each) => each.path === path && each.body.includes(title));
  expect(sent('/slack/files.completeUploadExternal').map(({ body }) => JSON.parse(body).channel_id)).toEqual([
    'C0123456789',
  ]);
  expect(sent('/telegram/bot12345:test-bot-token/sendDocument')).toHaveLength(1);
});
