import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { test as base, call, complaintsOf, expect, newPerson, type Other, phone, share, signUp } from './fixtures.ts';

const harmless = '<img src=x onerror="document.title=\'owned\'"> [click](javascript:alert(1))';
const bell = (page: Page) => page.getByRole('button', { name: /^Notifications/ });

interface Somebody extends Other {
  complaints: string[];
  /** By the API, for what a journey begins with. */
  call(method: string, path: string, data?: object): Promise<{ id: string } & Record<string, unknown>>;
}

/** People whose addresses are proven: some at a desk, some with a phone. */
const test = base.extend<{ somebody: (viewport?: typeof phone) => Promise<Somebody> }>({
  somebody: ({ another, server }, use) =>
    use(async (viewport) => {
      const other = await another(viewport ? { viewport } : {});
      const { link } = await server.mailTo(other.email);
      const by: Somebody['call'] = (...asked) => call(other.context.request, ...asked);
      await by('POST', '/email_confirmation/redeem', { token: link.split('#token=')[1] });
      return { ...other, call: by, complaints: complaintsOf(other.page) };
    }),
});

test('a team is made, joined by a link and by asking, shares a project, and takes it back', async ({ somebody }) => {
  const [ada, bob, eve] = [await somebody(), await somebody(phone), await somebody(phone)];
  const name = `Tide readers ${ada.userName}`;
  await ada.page.goto('/teams');
  await ada.page.getByRole('button', { name: 'New team' }).first().click();
  const dialog = ada.page.getByRole('dialog', { name: 'New team' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog.getByRole('textbox', { name: 'Description' }).fill(`We read **tides**. ${harmless}`);
  await dialog.getByRole('radio', { name: 'Public' }).check();
  await dialog.getByRole('button', { name: 'Create team' }).click();
  await expect(ada.page.getByRole('heading', { level: 1, name })).toBeVisible();
  const teamId = ada.page.url().split('/').at(-1) ?? '';

  // The name is taken now, and the form says so before anything is sent.
  await bob.page.goto('/teams');
  await bob.page.getByRole('button', { name: 'New team' }).first().click();
  await bob.page.getByRole('textbox', { name: 'Name' }).fill(name.toUpperCase());
  await bob.page.getByRole('textbox', { name: 'Description' }).click();
  await expect(bob.page.getByText('A team with this name already exists')).toBeVisible();

  await ada.page.getByRole('link', { name: 'Invitations' }).click();
  await ada.page.getByRole('button', { name: 'Create link' }).click();
  const link = await ada.page.locator('code').innerText();
  await expectAccessible(ada.page);
  await bob.page.goto(link);
  await bob.page.getByRole('button', { name: 'Accept the invitation' }).click();
  await expect(bob.page.getByRole('button', { name: 'Leave' })).toBeVisible();

  // Who asks is told to the owner at once, and let in while both look on.
  await eve.page.goto('/teams?mode=discoverable');
  await eve.page.getByRole('textbox', { name: 'Search teams' }).or(eve.page.getByRole('searchbox')).fill(name);
  await eve.page.getByRole('link', { name }).click();
  await eve.page.getByRole('button', { name: 'Request to join' }).click();
  await eve.page.getByRole('textbox', { name: 'Reason' }).fill('I have gauges');
  await eve.page.getByRole('button', { name: 'Send request' }).click();
  await expect(eve.page.getByText('Pending')).toBeVisible();
  await expect(bell(ada.page)).toHaveAccessibleName(/unread/);
  await bell(ada.page).click();
  await ada.page.getByRole('link', { name: new RegExp(`requests to join “${name}”`) }).click();
  await expect(ada.page.getByText('I have gauges')).toBeVisible();
  await ada.page.getByRole('button', { name: 'Approve' }).click();
  await expect(ada.page.getByText('No join requests.')).toBeVisible();
  await expect(eve.page.getByRole('button', { name: 'Leave' })).toBeVisible();

  const project = await ada.call('POST', '/notebooks', { name: 'Tides and currents', create_main_file: true });
  await ada.page.goto(`/projects/${project.id}`);
  await ada.page.getByRole('button', { name: 'Share' }).click();
  const share = ada.page.getByRole('dialog', { name: /^Share/ });
  await share.getByRole('textbox', { name: 'Find people' }).fill(name);
  await share.getByRole('option', { name: new RegExp(name) }).click();
  await expect(share.getByRole('link', { name })).toBeVisible();
  await expectAccessible(ada.page);
  await bob.page.goto(`/teams/${teamId}`);
  await bob.page.getByRole('link', { name: 'Tides and currents' }).click();
  await expect(bob.page.getByRole('heading', { level: 1, name: 'Tides and currents' })).toBeVisible();

  // Whoever is removed loses what is open.
  await ada.page.goto(`/teams/${teamId}/members`);
  await ada.page
    .getByRole('listitem')
    .filter({ hasText: `@${bob.userName}` })
    .getByRole('button', { name: /^Remove/ })
    .click();
  await expect(bob.page.getByRole('heading', { name: 'You no longer have access to this project' })).toBeVisible();
  await ada.page.getByRole('link', { name: 'Activity' }).click();
  await expect(ada.page.getByText(/ left the team/)).toBeVisible();
  await expectAccessible(ada.page);
  for (const { page } of [ada, bob, eve]) await expect(page).not.toHaveTitle('owned');
  expect(ada.complaints).toEqual([]);
});

test('two people talk about a project, and both see every word at once', async ({ somebody }) => {
  const [ada, bob] = [await somebody(phone), await somebody()];
  const project = await ada.call('POST', '/notebooks', { name: 'Tides', create_main_file: true });
  await share(ada.context.request, project.id, bob.id, ['view_source', 'comment']);
  for (const { page } of [ada, bob]) {
    await page.goto(`/projects/${project.id}?panel=comments`);
    await expect(page.getByText('No comments yet.')).toBeVisible();
  }
  const field = bob.page.getByRole('textbox', { name: 'Comment on this project' });
  await field.fill(`Is this **low** tide? ${harmless} @${ada.userName}`);
  await field.press('End');
  await bob.page.getByRole('list', { name: 'People to mention' }).getByRole('button', { name: ada.userName }).click();
  await bob.page.getByRole('button', { name: 'Comment', exact: true }).click();
  const [adas, bobs] = [ada, bob].map(({ page }) =>
    page.getByRole('region', { name: 'Comments' }).or(page.getByRole('dialog', { name: 'Comments' })),
  );
  if (!adas || !bobs) throw new Error('nobody there');
  await expect(adas.locator('strong', { hasText: 'low' })).toBeVisible();
  await expect(ada.page.locator('a[href^="javascript:"]')).toHaveCount(0);

  await ada.page.getByRole('button', { name: 'Reply' }).click();
  await ada.page.getByRole('textbox', { name: 'Reply' }).fill('Yes, it is.');
  await ada.page.keyboard.press('Control+Enter');
  await expect(bob.page.getByText('Yes, it is.')).toBeVisible();
  await bobs.getByRole('article').nth(1).getByRole('button', { name: 'Like', exact: true }).click();
  await expect(ada.page.getByRole('button', { name: 'Like, 1' })).toBeVisible();
  await expectAccessible(ada.page);

  // What was answered keeps its place without its words.
  await bobs.getByRole('article').first().getByRole('button', { name: 'More' }).click();
  await bob.page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(ada.page.getByText('This comment was deleted.')).toBeVisible();
  await expect(ada.page.getByText('Yes, it is.')).toBeVisible();

  // One file can be talked about by itself; whoever looks at the whole project sees which it is.
  await bobs.getByRole('radiogroup', { name: 'Comments on' }).getByText('main.ipynb').click();
  await expect(bobs.getByText('No comments yet.')).toBeVisible();
  await bobs.getByRole('textbox', { name: 'Comment on this file' }).fill('It needs a title.');
  await bobs.getByRole('button', { name: 'Comment', exact: true }).click();
  await expect(adas.getByRole('listitem').filter({ hasText: 'It needs a title.' })).toContainText('main.ipynb');
  await expectAccessible(bob.page);

  await bob.page.goto('/notifications');
  await expect(bob.page.getByRole('link', { name: /replied in “Tides”/ })).toBeVisible();
  await expectAccessible(bob.page);
  await bob.page.getByRole('button', { name: 'Mark all as read' }).click();
  await expect(bell(bob.page)).toHaveAccessibleName('Notifications');
  await expect(ada.page).not.toHaveTitle('owned');
  expect([...ada.complaints, ...bob.complaints]).toEqual([]);
});

test('whoever has only the link asks for access, is let in, and the page opens by itself', async ({
  somebody,
  stranger,
  server,
}) => {
  const [ada, eve] = [await somebody(phone), await somebody()];
  const project = await ada.call('POST', '/notebooks', { name: 'Secret tides', create_main_file: true });
  await ada.page.goto('/dashboard');
  await eve.page.goto(`/projects/${project.id}`);
  await expect(eve.page.getByRole('heading', { name: 'You need access' })).toBeVisible();
  await expect(eve.page.getByText('Secret tides')).toHaveCount(0);
  await eve.page.getByRole('textbox', { name: 'Why you need access' }).fill('For the report');
  await expectAccessible(eve.page);
  await eve.page.getByRole('button', { name: 'Request access' }).click();
  await expect(eve.page.getByRole('heading', { name: 'Access requested' })).toBeVisible();

  await bell(ada.page).click();
  await ada.page
    .getByRole('dialog', { name: 'Notifications' })
    .getByRole('link', { name: /requests access/ })
    .click();
  const share = ada.page.getByRole('dialog', { name: /^Share/ });
  await expect(share.getByText('For the report')).toBeVisible();
  await share.getByRole('button', { name: 'Approve' }).click();
  await expect(eve.page.getByRole('heading', { level: 1, name: 'Secret tides' })).toBeVisible();
  await expect(share.getByText('Access requests')).toBeHidden();

  // Somebody without an account is invited by mail, and has it with the confirmed address.
  const grace = newPerson();
  await share.getByRole('textbox', { name: 'Find people' }).fill(grace.email.toUpperCase());
  await share.getByRole('option', { name: /by mail/ }).click();
  await share.getByLabel(/^Message to/).fill('The numbers are in.');
  await share.getByRole('button', { name: 'Send invitation' }).click();
  await expect(share.getByText(grace.email)).toBeVisible();
  const invitation = await server.mailTo(grace.email);
  expect(invitation.subject).toContain('Secret_tides');
  const page = await stranger({ viewport: phone });
  // Who does not want such mail says so without an account, and can take it back.
  await page.goto(invitation.link);
  await expect(page.getByRole('heading', { name: 'Unsubscribe p…@example.org?' })).toBeVisible();
  await page.getByRole('button', { name: 'Unsubscribe' }).click();
  await expect(page.getByText('p…@example.org no longer receives invitations')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Subscribe again' }).click();
  await expect(page.getByRole('button', { name: 'Unsubscribe' })).toBeVisible();

  await signUp(page.context(), server.url, grace);
  await expect.poll(async () => (await server.mailTo(grace.email)).subject).toContain('Confirm');
  await page.goto((await server.mailTo(grace.email)).link);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('heading', { name: /confirmed/i })).toBeVisible();
  await page.goto(`/projects/${project.id}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Secret tides' })).toBeVisible();
});

test('a profile is written, seen and followed', async ({ somebody }) => {
  const [ada, bob] = [await somebody(), await somebody(phone)];
  await ada.page.goto('/profile?section=about');
  const editor = ada.page.getByRole('textbox', { name: 'Text of the about page' });
  await editor.click();
  await ada.page.keyboard.type(`I read tides ${harmless}`);
  await ada.page.getByRole('button', { name: 'Publish' }).click();
  await expect(ada.page.getByText('Your about page is published.')).toBeVisible();
  await expect(ada.page).not.toHaveTitle('owned');
  await expectAccessible(ada.page);

  await bob.page.goto(`/users/${ada.userName}/about`);
  await expect(bob.page.getByText('I read tides <img')).toBeVisible();
  await expect(bob.page.locator('a[href^="javascript:"]')).toHaveCount(0);
  await bob.page.getByRole('button', { name: 'Follow' }).click();
  await expect(bob.page.getByRole('button', { name: 'Following' })).toBeVisible();
  await bob.page
    .getByRole('navigation', { name: 'About this person' })
    .getByRole('link', { name: /^Followers/ })
    .click();
  await expect(bob.page.getByText(`@${bob.userName}`)).toBeVisible();
  await expectAccessible(bob.page);
  await expect(bell(ada.page)).toHaveAccessibleName('Notifications, 1 unread');
  await ada.call('POST', '/notebooks', { name: 'For everybody', visibility: 'public' });
  await expect(bell(bob.page)).toHaveAccessibleName('Notifications, 1 unread');
  await expect(bob.page).not.toHaveTitle('owned');
  expect([...ada.complaints, ...bob.complaints]).toEqual([]);
});
