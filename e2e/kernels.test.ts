import { mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, newPerson, signUp, test } from './fixtures.ts';
import { choose, code, notebook, openNotebook, output, slow } from './notebook-page.ts';

/** What a newcomer gets, by what the machine has. */

/** All that the server calls by name, but for bubblewrap. */
const folder = mkdtempSync(join(tmpdir(), 'atoll-path-'));
symlinkSync('/usr/bin/chown', join(folder, 'chown'));

test('without bubblewrap Python runs in WebAssembly, and the menu says how to get more', async ({ own }) => {
  const { page, server } = await own({ PATH: folder });
  await signUp(page.context(), server.url, newPerson());
  await openNotebook(page, notebook(code('import ipaddress\nipaddress.ip_network("10.0.0.0/8").num_addresses', 'a')));
  await page.getByRole('button', { name: /^Kernel:/ }).click();
  const menu = page.getByRole('menu');
  await expect(menu).toContainText('In WebAssembly');
  await expect(menu.getByRole('note')).toContainText('because bubblewrap is not installed');
  await expect(menu.getByRole('note')).toContainText('apt install bubblewrap');
  await page.keyboard.press('Escape');
  await choose(page, 'a');
  await page.keyboard.press('Control+Enter');
  await expect(output(page, 'a')).toContainText('16777216', slow);
});

test('without a sandbox, where that was asked for, the menu warns', async ({ own }) => {
  const { page, server } = await own({ ATOLL_UNSANDBOXED_KERNELS: 'on' });
  await signUp(page.context(), server.url, newPerson());
  await openNotebook(page, notebook(code('import os\nos.path.exists("/etc/shadow")', 'a')));
  await choose(page, 'a');
  await page.keyboard.press('Control+Enter');
  await expect(output(page, 'a')).toContainText('True', slow);
  await page.getByRole('button', { name: /^Kernel:/ }).click();
  await expect(page.getByRole('menu')).toContainText('No sandbox');
  await expect(page.getByRole('note')).toContainText('it can read, change and delete your files');
});

test('while Python is being prepared the notebook says how far it is', async ({ own }) => {
  const { page, server } = await own({ ATOLL_PYTHON: '', PIP_INDEX_URL: 'http://127.0.0.1:9/simple' });
  await signUp(page.context(), server.url, newPerson());
  await openNotebook(page, notebook(code('1', 'a')));
  const chip = page.getByRole('button', { name: /Preparing Python \d+ %/ });
  await expect(chip).toBeVisible(slow);
  await chip.click();
  await expect(page.getByRole('progressbar', { name: 'Python is being prepared' })).toBeVisible();
  await expect(page.getByRole('menu')).toContainText('the package index cannot be reached', slow);
});
