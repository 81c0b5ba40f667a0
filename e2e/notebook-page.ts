import type { Locator, Page } from '@playwright/test';
import { code } from '../apps/server/src/test/set-ups/notebooks.ts';
import { expect, makeFile, makeProject } from './fixtures.ts';

export { code, notebook, notebookWith, shows, text } from '../apps/server/src/test/set-ups/notebooks.ts';

/** What the journeys through notebooks have in common. */

/** A kernel takes its time on a busy machine. */
export const slow = { timeout: 120_000 };

export const sql = (source: string, id: string, variable = 'found') =>
  code(source, id, [], { atoll: { type: 'sql', variable } });
const inputDefaults = { kind: 'text', label: '', options: [], min: null, max: null, step: null, reruns: false };
export const input = (fields: { name: string; value: unknown; [field: string]: unknown }, id: string) =>
  code(`${fields.name} = ${JSON.stringify(fields.value)}`, id, [], {
    atoll: { type: 'input', input: { ...inputDefaults, ...fields } },
  });

/** A project with one notebook in it, on the screen. */
export async function openNotebook(page: Page, content: string, name = 'tides.ipynb') {
  const project = await makeProject(page.request);
  const file = await makeFile(page.request, project, name, content);
  const path = `/projects/${project}?file=${file}`;
  await page.goto(path);
  return { project, file, path };
}

export const cell = (page: Page, id: string): Locator => page.locator(`[data-cell="${id}"]`);
export const cells = (page: Page): Locator => page.locator('[data-cell]');
export const output = (page: Page, id: string): Locator => cell(page, id).getByRole('figure', { name: 'Output' });

/** Chooses a cell without writing in it. */
export async function choose(page: Page, id: string): Promise<void> {
  await cell(page, id).click({ position: { x: 20, y: 4 } });
  await expect(cell(page, id)).toHaveAttribute('data-mode', 'command');
}

/** Puts the cursor into a cell, at the end of its text. */
export async function writeIn(page: Page, id: string): Promise<void> {
  await choose(page, id);
  await page.keyboard.press('Enter');
  await expect(cell(page, id)).toHaveAttribute('data-mode', 'edit');
  await page.keyboard.press('Control+End');
}

export const saved = (page: Page) => expect(page.getByRole('toolbar').getByText('Saved')).toBeAttached();

export const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
