import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Publication } from '@atoll/contract';
import { code as codeCell, notebook, shows, text } from '../../test/set-ups/notebooks.ts';
import { createTestApp, type TestApp } from '../../test/test-app.ts';
import { notebookIn, publish } from '../publications/test-publications.ts';

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
  return createTestApp({ webFolder: reportWebFolder(), ...options, env: { CHROMIUM_PATH, ...env } });
}

export const markdown = (id: string, source: string) => text(source, id);
export const code = (id: string, source: string, data: object) => codeCell(source, id, shows(data));

/** A notebook with these cells, published. */
export async function publishedReport(
  app: TestApp,
  token: string,
  cells: object[],
  body: object = {},
): Promise<Publication & { fileId: string }> {
  const { fileId } = await notebookIn(app, token, notebook(...cells), { name: 'Reports' });
  const answer = await publish(app, token, fileId, { title: 'Tides of the week', access_level: 'public', ...body });
  if (answer.status !== 200) throw new Error(`publish answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return { ...answer.body, fileId };
}
