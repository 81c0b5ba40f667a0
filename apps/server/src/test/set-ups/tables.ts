import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ColumnStatistics, ProjectFile, TablePage } from '@atoll/contract';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect } from 'vitest';
import { createTestApp, type TestApp } from '../test-app.ts';

/** Tables in files of one project. */

export let app: TestApp;
export let token: string;
export let base: string;
let projectId: string;
let count = 0;
export async function file(extension: string, content: string | Buffer): Promise<ProjectFile> {
  const name = `table${count++}.${extension}`;
  const upload_id = await app.upload(token, content, name);
  return (await app.call<ProjectFile>('POST', `${base}/files-contents`, { token, body: { name, upload_id } })).body;
}

export type Query = Record<string, string | string[]>;
export const ask = <Body = TablePage>({ id }: { id: string }, query: Query = {}) =>
  app.call<Body>('GET', `${base}/files/${id}/data`, { token, query });

export async function page(of: { id: string }, query: Query = {}): Promise<TablePage> {
  const { status, body } = await ask(of, query);
  expect(body, JSON.stringify(body)).toHaveProperty('rows');
  expect(status).toBe(200);
  return body;
}

export async function statistics(of: { id: string }, query: Query): Promise<ColumnStatistics> {
  const { body } = await app.get<{ statistics: ColumnStatistics }>(
    token,
    `${base}/files/${of.id}/data/statistics`,
    query,
  );
  expect(body, JSON.stringify(body)).toHaveProperty('statistics');
  return body.statistics;
}

export const filter = (column: string, operator: string, ...values: string[]): Query => ({
  'filters[0][column]': column,
  'filters[0][operator]': operator,
  ...(values.length === 1 ? { 'filters[0][value]': values[0] ?? '' } : {}),
  ...(values.length > 1
    ? Object.fromEntries(values.map((value, index) => [`filters[0][value][${index}]`, value]))
    : {}),
});

/** A parquet file out of a statement. */
export async function parquet(select: string): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'parquet-'));
  const instance = await DuckDBInstance.create();
  try {
    const connection = await instance.connect();
    await connection.run(`copy (${select}) to '${folder}/t.parquet' (format parquet)`);
    connection.closeSync();
    return readFileSync(join(folder, 't.parquet'));
  } finally {
    instance.closeSync();
    rmSync(folder, { recursive: true });
  }
}

export const kinds = ({ columns }: TablePage) => columns.map(({ name, kind }) => `${name}: ${kind}`);

export function useTables(): void {
  beforeAll(async () => {
    app = await createTestApp({ keepOpen: true });
    token = (await app.person('ada')).token;
    projectId = (await app.project(token)).id;
    base = `/v1/notebooks/${projectId}`;
  });
  afterAll(() => app.close());
}
