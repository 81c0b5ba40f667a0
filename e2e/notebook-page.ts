import type { APIRequestContext, Locator, Page } from '@playwright/test';
import { expect } from './fixtures.ts';

/** What the journeys through notebooks have in common. */

const api = '/api/atoll/v1';
/** A kernel takes its time on a busy machine. */
export const slow = { timeout: 120_000 };

export const code = (source: string, id: string, outputs: object[] = []) => ({
  cell_type: 'code',
  id,
  metadata: {},
  execution_count: null,
  outputs,
  source,
});
export const text = (source: string, id: string) => ({ cell_type: 'markdown', id, metadata: {}, source });
export const sql = (source: string, id: string, variable = 'found') => ({
  ...code(source, id),
  metadata: { atoll: { type: 'sql', variable } },
});
export const input = (fields: { name: string; value: unknown; [field: string]: unknown }, id: string) => ({
  ...code(`${fields.name} = ${JSON.stringify(fields.value)}`, id),
  metadata: {
    atoll: {
      type: 'input',
      input: {
        kind: 'text',
        label: '',
        options: [],
        min: null,
        max: null,
        step: null,
        reruns: false,
        ...fields,
      },
    },
  },
});
export const shows = (data: object) => [{ output_type: 'display_data', data, metadata: {} }];
export const notebookWith = (metadata: object, ...cells: object[]) =>
  JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 });
export const notebook = (...cells: object[]) => notebookWith({}, ...cells);

export async function makeFile(request: APIRequestContext, project: string, name: string, content: string | Buffer) {
  const slot = await (await request.post(`${api}/upload`, { data: { client_name: name } })).json();
  expect((await request.put(slot.url, { data: Buffer.from(content), headers: slot.headers })).ok()).toBe(true);
  const answer = await request.post(`${api}/notebooks/${project}/files-contents`, {
    data: { name, upload_id: slot.upload_id },
  });
  expect(answer.status()).toBe(200);
  return (await answer.json()).id as string;
}

export async function makeProject(request: APIRequestContext): Promise<string> {
  return (await (await request.post(`${api}/notebooks`, { data: { name: 'Harbour' } })).json()).id;
}

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
