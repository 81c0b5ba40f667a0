import type { Page } from '@playwright/test';
import { violationsOf } from './axe.ts';
import { complaintsOf, expect, share, test } from './fixtures.ts';
import { code, notebook, openNotebook, slow } from './notebook-page.ts';

const panel = (page: Page) => page.getByRole('log', { name: 'Conversation' });
const cell = (page: Page, number: number) => page.getByRole('article', { name: `Cell ${number},` });
async function openAssistant(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Assistant', exact: true }).click();
  // The button's own tip would stand beside the page.
  await page.mouse.move(700, 700);
}

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message to the assistant' }).fill(text);
  await page.keyboard.press('Enter');
}

const open = (page: Page, ...sources: string[]) =>
  openNotebook(page, notebook(...sources.map((source, index) => code(source, `cell-${index + 1}`))));

test('the assistant changes a notebook with approval, is stopped, continued and reverted', async ({
  page,
  signedUp: _,
}) => {
  const complaints = complaintsOf(page);
  await open(page, 'x = 1');
  await openAssistant(page);
  await expect(page.getByText('You approve each change')).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);

  await say(
    page,
    '> think I add a cell\n> call insert_cell {"source": "print(x + 41)"}\n> then\n> call run_cells {"cell_ids": ["cell-1"]}\n> then\n> say I **added** a cell.',
  );
  const question = page.getByRole('group', { name: 'Approve: Insert a code cell' });
  await expect(question).toContainText('print(x + 41)');
  expect(await violationsOf(page)).toEqual([]);
  await question.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(cell(page, 2)).toContainText('print(x + 41)');
  await page.getByRole('group', { name: 'Approve: Run a cell' }).getByRole('button', { name: 'Always' }).click();
  await expect(panel(page).locator('strong', { hasText: 'added' })).toBeVisible(slow);
  await expect(panel(page)).toContainText('3 rounds');
  await panel(page).getByText('Thinking').click();
  await expect(panel(page)).toContainText('I add a cell');

  await say(page, `> slow 30\n> say ${'word '.repeat(3_000)}`);
  await expect(panel(page)).toContainText('word word word');
  await say(page, 'Not yet');
  await page.getByRole('button', { name: 'Stop the assistant' }).click();
  await expect(panel(page)).toContainText('Stopped.');
  await expect(page.getByRole('textbox', { name: 'Message to the assistant' })).toHaveValue('Not yet');
  await expect(panel(page)).not.toContainText('Not yet');
  await page.reload();
  await openAssistant(page);
  await expect(panel(page)).toContainText('Stopped.');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(panel(page)).toContainText('You said: Continue');

  await say(page, '> call delete_cell {"cell_id": "cell-1"}');
  const reject = page.getByRole('button', { name: 'Reject', exact: true });
  await expect(reject).toBeVisible();
  await say(page, 'And then?');
  await expect(page.getByText('Sent when the answer is complete.')).toBeVisible();
  await reject.click();
  await expect(panel(page)).toContainText('Rejected.');
  await expect(panel(page)).toContainText('You said: And then?');

  await page.getByRole('button', { name: 'Revert to before this message' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Revert to before this message' });
  await expect(dialog).toContainText('tides.ipynb is restored');
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Revert', exact: true }).click();
  await expect(cell(page, 2)).toHaveCount(0);
  await expect(cell(page, 1)).toContainText('x = 1');
  await expect(panel(page)).toContainText('taken back');

  await page.getByRole('button', { name: 'Assistant menu' }).click();
  await page.getByRole('menuitem', { name: 'New conversation' }).click();
  await expect(page.getByText('You approve each change')).toBeVisible();
  expect(complaints).toEqual([]);
});

test('two people see one conversation, and what is sent can be read', async ({ page, another, signedUp: _ }) => {
  await open(page, 'x = 1');
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const { page: other, id: userId } = await another();
  await share(page.request, id, userId, ['view', 'view_source', 'edit']);
  await other.goto(page.url());
  await openAssistant(other);
  await openAssistant(page);
  // What an answer contains loads nothing from elsewhere and does not leave the page by itself.
  const outside: string[] = [];
  for (const each of [page, other])
    each.on('request', (request) => {
      if (request.url().includes('evil.example')) outside.push(request.url());
    });
  await say(
    page,
    'What is x?\n> say It is one. ![x](https://evil.example/?q=x) <img src="https://evil.example/2"> [more](https://evil.example/3) [run](javascript:alert(1)) ![y][z]\\n\\n[z]: https://evil.example/4',
  );
  await expect(panel(other)).toContainText('It is one.');
  await expect(panel(other)).toContainText('1 round');
  await say(other, '> call insert_cell {"source": "y"}');
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(cell(other, 2)).toContainText('y');
  await page.getByRole('button', { name: 'Assistant menu' }).click();
  await page.getByRole('menuitem', { name: 'Show what is sent' }).click();
  await expect(page.getByRole('dialog')).toContainText('What is x?');
  for (const each of [page, other]) {
    await expect(panel(each).locator('img[src*="evil.example"]')).toHaveCount(0);
    await expect(panel(each).locator('a[href^="javascript:"]')).toHaveCount(0);
  }
  expect(outside).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Assistant menu' }).click();
  await page.getByRole('menuitem', { name: 'Model and tools' }).click();
  const insert = page.getByRole('radiogroup', { name: 'Insert a cell' });
  await insert.getByText('Never').click();
  await expect(insert.getByRole('radio', { name: 'Never' })).toBeChecked();
  expect(await violationsOf(page)).toEqual([]);
});

test('code from a sentence in a cell: a diff to accept, an error mended, code explained', async ({
  page,
  signedUp: _,
}) => {
  await open(page, 'x = 1', 'import pandas\ndf = pandas.DataFrame({"tide": [1, 2]})\n1 / 0');
  await cell(page, 1).click();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+i');
  const assist = page.getByRole('group', { name: 'Write with AI' });
  await assist.getByRole('textbox').fill('> say ```python\\nx = 2\\n```\\nNow it is two.');
  await assist.getByRole('button', { name: 'Change' }).click();
  await expect(assist).toContainText('Now it is two.');
  expect(await violationsOf(page)).toEqual([]);
  await assist.getByRole('button', { name: 'Accept' }).click();
  await expect(cell(page, 1)).toContainText('x = 2');

  await cell(page, 2).click();
  await page.keyboard.press('Control+Enter');
  await expect(cell(page, 2)).toContainText('ZeroDivisionError', slow);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+i');
  await expect(assist.getByRole('button', { name: 'Fix error' })).toBeVisible();
  await assist.getByRole('textbox').fill('> say It divides by zero.');
  await assist.getByRole('button', { name: 'Explain' }).click();
  await expect(assist).toContainText('It divides by zero.');
  await assist.getByRole('button', { name: 'Close' }).click();
  await expect(assist).toHaveCount(0);
  await expect(cell(page, 2)).toBeFocused();

  await page.keyboard.press('Control+i');
  await assist.getByRole('combobox', { name: 'Chart of a table' }).click();
  await page.getByRole('option', { name: 'df' }).click();
  await assist.getByRole('textbox', { name: 'What the code should do' }).fill('> say ```python\\ndf.plot()\\n```');
  await assist.getByRole('button', { name: 'Draw' }).click();
  await assist.getByRole('button', { name: 'Accept' }).click();
  await expect(cell(page, 2)).toContainText('df.plot()');
});

test('publications are searched by a sentence, and a whole notebook from a sentence is run as it is built', async ({
  page,
  signedUp: _,
}) => {
  await page.goto('/publications');
  const field = page.getByRole('searchbox', { name: 'Search publications' });
  await field.fill('> say {"query": "tides", "tags": ["nowhere"]}');
  await page.getByRole('button', { name: 'Search by sentence' }).click();
  await expect(page).toHaveURL(/search=tides$/);
  expect(await violationsOf(page)).toEqual([]);

  await open(page, '');
  await openAssistant(page);
  await page
    .getByRole('textbox', { name: 'Build a notebook' })
    .fill(
      'numbers\n> call insert_cell {"source": "print(6 * 7)", "cell_id": "answer"}\n> then\n> call run_cells {"cell_ids": ["answer"]}\n> then\n> say Built.',
    );
  await page.getByRole('button', { name: 'Build and run' }).click();
  await expect(panel(page)).toContainText('Built.', slow);
  await expect(cell(page, 2)).toContainText('42');
});

test('an admin sets up models for everyone and checks them', async ({ page, asAdmin: _ }) => {
  await page.goto('/admin/models');
  const prices = page.getByRole('list', { name: 'Prices' });
  await expect(prices).toContainText('Set up by the operator');
  await prices.getByRole('textbox', { name: 'Units for tokens that scripted reads' }).fill('0.5');
  await prices.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Price of scripted saved.')).toBeVisible();
  await prices.getByRole('textbox', { name: 'Units for tokens that scripted reads' }).fill('0');
  await prices.getByRole('button', { name: 'Save' }).click();
  await expect(prices.getByRole('button', { name: 'Save' })).toBeDisabled();
  await page.getByRole('combobox', { name: 'Provider' }).click();
  await page.getByRole('option', { name: 'OpenAI-compatible server' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Ours');
  await page.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:9/v1');
  await page.getByLabel('API key').fill('sk-test');
  await page.getByRole('textbox', { name: 'Models' }).fill('small, large');
  await page.getByRole('button', { name: 'Add provider' }).click();
  const list = page.getByRole('list', { name: 'Providers' });
  await expect(list).toContainText('small, large');
  await list.getByRole('button', { name: 'Check' }).click();
  await expect(page.getByText('The provider cannot be reached.')).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await list.getByRole('button', { name: 'Delete Ours' }).click();
  await expect(page.getByText('No providers yet.')).toBeVisible();
});
