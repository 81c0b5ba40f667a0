import { mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, expect } from './fixtures.ts';
import { choose, code, notebook, openNotebook, output, slow } from './notebook-page.ts';
import type { TestServer } from './server.ts';
import { startServer } from './server.ts';

/** What a newcomer gets, by what the machine has. */
const on = (env: Record<string, string>) =>
  base.extend<Record<never, never>, { server: TestServer }>({
    server: [
      // biome-ignore lint/correctness/noEmptyPattern: the test runner reads the parameter's shape.
      async ({}, use) => {
        const server = await startServer(env);
        await use(server);
        await server.stop();
      },
      { scope: 'worker' },
    ],
  });

/** All that the server calls by name, but for that. */
const folder = mkdtempSync(join(tmpdir(), 'atoll-path-'));
symlinkSync('/usr/bin/chown', join(folder, 'chown'));
const withoutBubblewrap = on({ PATH: folder });

withoutBubblewrap(
  'without bubblewrap Python runs in WebAssembly, and the menu says how to get more',
  async ({ page, signedUp: _ }) => {
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
  },
);

on({ ATOLL_UNSANDBOXED_KERNELS: 'on' })(
  'without a sandbox, where that was asked for, the menu warns',
  async ({ page, signedUp: _ }) => {
    await openNotebook(page, notebook(code('import os\nos.path.exists("/etc/shadow")', 'a')));
    await choose(page, 'a');
    await page.keyboard.press('Control+Enter');
    await expect(output(page, 'a')).toContainText('True', slow);
    await page.getByRole('button', { name: /^Kernel:/ }).click();
    await expect(page.getByRole('menu')).toContainText('No sandbox');
    await expect(page.getByRole('note')).toContainText('it can read, change and delete your files');
  },
);

on({ ATOLL_PYTHON: '', PIP_INDEX_URL: 'http://127.0.0.1:9/simple' })(
  'while Python is being prepared the notebook says how far it is',
  async ({ page, signedUp: _ }) => {
    await openNotebook(page, notebook(code('1', 'a')));
    const chip = page.getByRole('button', { name: /Preparing Python \d+ %/ });
    await expect(chip).toBeVisible(slow);
    await chip.click();
    await expect(page.getByRole('progressbar', { name: 'Python is being prepared' })).toBeVisible();
    await expect(page.getByRole('menu')).toContainText('the package index cannot be reached', slow);
  },
);
