import type { Publication, PublicationDetail } from '@atoll/contract';
import { notebook as fileOf } from '../../test/set-ups/notebooks.ts';
import type { TestApp } from '../../test/test-app.ts';

export const notebook = (...cells: object[]) =>
  fileOf(...cells.map((cell, index) => ({ id: `c${index}`, metadata: {}, ...cell })));
export const markdown = (source: string) => ({ cell_type: 'markdown', source });
export const code = (source: string, outputs: object[] = []) => ({
  cell_type: 'code',
  source,
  outputs,
  execution_count: 1,
});
export const html = (text: string) => ({ output_type: 'display_data', data: { 'text/html': text }, metadata: {} });

export async function notebookIn(app: TestApp, token: string, content: string, project: object = {}) {
  const { id } = await app.project(token, { name: 'Tides of the north', ...project });
  const file = await app.createFile(token, id, 'tides.ipynb', content);
  return { projectId: id, fileId: file.body.id };
}

export const publish = (app: TestApp, token: string, fileId: string, body: object) =>
  app.call<Publication & { fields?: object }>('PATCH', `/v1/publications/files/${fileId}`, { token, body });
export const read = (app: TestApp, slug: string, token?: string, version?: number) =>
  app.call<PublicationDetail>('GET', `/v1/publications/by_slug/${slug}`, {
    token,
    ...(version ? { query: { version: String(version) } } : {}),
  });
