import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Publication } from '@atoll/contract';
import { createTestApp, type TestApp } from '../../test/test-app.ts';

/** As much of the web app as pages to print need when they have no charts. */
export function reportWebFolder(): string {
  const webFolder = mkdtempSync(join(tmpdir(), 'atoll-web-'));
  writeFileSync(join(webFolder, 'index.html'), '<title></title>');
  symlinkSync(join(import.meta.dirname, '../../../../web/src/public/assets'), join(webFolder, 'assets'));
  return webFolder;
}

export function createReportApp(
  env: Record<string, string> = {},
  options: Parameters<typeof createTestApp>[0] = {},
): Promise<TestApp> {
  const { CHROMIUM_PATH = '' } = process.env;
  return createTestApp({ webFolder: reportWebFolder(), keepOpen: true, ...options, env: { CHROMIUM_PATH, ...env } });
}

interface Cell {
  id: string;
  source: string;
  outputs?: object[];
}

export const markdown = (id: string, source: string): Cell => ({ id, source });
export const code = (id: string, source: string, data: Record<string, unknown>): Cell => ({
  id,
  source,
  outputs: [{ output_type: 'display_data', metadata: {}, data }],
});

/** A notebook with these cells, published. */
export async function publishedReport(
  app: TestApp,
  token: string,
  cells: Cell[],
  body: object = {},
): Promise<Publication & { fileId: string }> {
  const content = JSON.stringify({
    nbformat: 4,
    nbformat_minor: 5,
    metadata: {},
    cells: cells.map(({ id, source, outputs }) =>
      outputs
        ? { id, cell_type: 'code', metadata: {}, source, outputs, execution_count: 1 }
        : { id, cell_type: 'markdown', metadata: {}, source },
    ),
  });
  const { id } = await app.project(token, { name: 'Reports' });
  const upload_id = await app.upload(token, content, 'report.ipynb');
  const file = await app.call<{ id: string }>('POST', `/v1/notebooks/${id}/files-contents`, {
    token,
    body: { name: 'report.ipynb', upload_id },
  });
  const answer = await app.call<Publication>('PATCH', `/v1/publications/files/${file.body.id}`, {
    token,
    body: { title: 'Tides of the week', access_level: 'public', ...body },
  });
  if (answer.status !== 200) throw new Error(`publish answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return { ...answer.body, fileId: file.body.id };
}
