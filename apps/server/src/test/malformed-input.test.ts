import { type ErrorBody, rawContract } from '@atoll/contract';
import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../platform/db/columns.ts';
import { rowsOf } from '../platform/db/rows.ts';
import { contractEndpoints } from '../platform/http/contract-endpoints.ts';
import { createTestApp, type TestApp } from './test-app.ts';

/**
 * Malformed input for every endpoint in the OpenAPI document: a clear 4xx in the error shape, never a 500, and nothing
 * written. That is looked at after all endpoints below one address: counting rows takes longer than all that an endpoint is
 * sent. Endpoints added later are covered without touching this file.
 */

interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
}

interface Operation {
  parameters?: { name: string; in: string }[];
  requestBody?: { content?: Record<string, { schema?: Schema }> };
  'x-raw'?: boolean;
}

interface Request {
  what: string;
  path: string;
  query?: Record<string, string>;
  payload?: string;
  contentType?: string;
}

const surprises: [string, unknown][] = [
  ['an object', { $ne: null }],
  ['a list', [[]]],
  ['a huge number', 1e308],
  ['a NUL character', 'a\u0000b'],
  ['half a surrogate pair', 'a\ud800b'],
  ['a very long text', 'x'.repeat(200_000)],
];

const hostileIds = ['not-an-id', '%00', '..%2F..%2Fetc%2Fpasswd', '%E0%A4%A', 'x'.repeat(300), `${newId()}'--`];

let app: TestApp;
let token: string;
let count: SQL;
/** Before all of it. */
let contents: unknown;
let operations: { name: string; method: string; path: string; operation: Operation }[];

beforeAll(async () => {
  app = await createTestApp({ keepOpen: true });
  token = (await app.admin()).token;
  const document = await app.call<{ paths: Record<string, Record<string, Operation>> }>('GET', '/openapi.json');
  operations = Object.entries(document.body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
  count = await countOf(app);
  contents = await contentsNow();
});
afterAll(() => app.close());

test('the document lists every endpoint of the contract', () => {
  const listed = operations.map(({ name }) => name);
  for (const { method, path } of contractEndpoints()) expect(listed).toContain(`${method} ${path}`);
});

describe('malformed input', () => {
  const raw = Object.values(rawContract)
    .flatMap((group) => Object.values(group))
    // The rest of them take nothing that could be wrong.
    .filter(({ method, path }) => method !== 'GET' || path.includes('{'));
  const named = [...contractEndpoints(), ...raw].map(({ method, path }) => ({ path, name: `${method} ${path}` }));
  const below = Map.groupBy(named, ({ path }) => path.split('/').slice(0, 3).join('/'));

  describe.each([...below])('below %s', (_, endpoints) => {
    test.each(endpoints)('$name', ({ name }) => expectRefusals(name));

    test('nothing is written', expectNothingWritten);
  });

  async function expectRefusals(name: string): Promise<void> {
    const entry = operations.find((operation) => operation.name === name);
    if (!entry) throw new Error(`${name} is not in the document`);
    const wrong: string[] = [];
    for (const request of malformedRequests(entry)) {
      const response = await app.app.http.inject({
        method: entry.method as 'GET',
        url: `/api/atoll${request.path}`,
        headers: {
          authorization: `Bearer ${token}`,
          ...(request.payload === undefined ? {} : { 'content-type': request.contentType ?? 'application/json' }),
        },
        ...(request.query ? { query: request.query } : {}),
        ...(request.payload === undefined ? {} : { payload: request.payload }),
      });
      const { statusCode: status } = response;
      const body = response.json<ErrorBody>();
      const isShaped =
        body.status === status &&
        typeof body.message === 'string' &&
        body.message.length > 0 &&
        typeof body.code === 'string' &&
        typeof body.fields === 'object' &&
        typeof body.details === 'object';
      if (status < 400 || status >= 500 || !isShaped)
        wrong.push(`${request.what}: ${status} ${response.body.slice(0, 200)}`);
    }
    expect(wrong).toEqual([]);
  }

  test('bad credentials of every form are refused and written nowhere', async () => {
    const forms = [
      'Bearer',
      'Bearer ',
      'Bearer x',
      `Bearer ${'x'.repeat(5_000)}`,
      'Basic YTpi',
      'Bearer a b',
      'bearer\tx',
    ];
    for (const authorization of forms) {
      const { status } = await app.call('GET', '/v1/settings', { headers: { authorization } });
      expect(status, authorization.slice(0, 20)).toBe(401);
    }
    for (const key of ['', 'x', 'ak_', `ak_${'0'.repeat(70)}`, 'ak_'.padEnd(9_000, 'a')]) {
      const { status } = await app.call('GET', '/v1/settings', { headers: { 'x-api-key': key } });
      expect(status).toBe(401);
    }
    await expectNothingWritten();
  });

  test('a key or token in the address is never taken', async () => {
    for (const name of ['token', 'api_key', 'access_token']) {
      const { status } = await app.call('GET', '/v1/settings', { query: { [name]: token } });
      expect(status).toBe(401);
    }
  });

  test('an endpoint that does not exist answers in the error shape', async () => {
    const { status, body } = await app.call('GET', '/v1/nothing/here');
    expect(status).toBe(404);
    expect(body).toMatchObject({ status: 404, code: 'not_found', fields: {} });
  });
});

function malformedRequests({
  method,
  path,
  operation,
}: {
  method: string;
  path: string;
  operation: Operation;
}): Request[] {
  const goodPath = path.replace(/\{\w+\}/g, newId());
  // What is not JSON takes no query that could be checked; a browser adds what it likes to the address of a file.
  const requests: Request[] = operation['x-raw']
    ? [{ what: 'nothing there', path: goodPath }]
    : [{ what: 'unknown query field', path: goodPath, query: { surprise: '1' } }];
  for (const parameter of operation.parameters ?? []) {
    if (parameter.in === 'path') {
      for (const id of hostileIds)
        requests.push({ what: `path ${parameter.name}=${id.slice(0, 20)}`, path: path.replace(/\{\w+\}/g, id) });
    } else {
      requests.push({ what: `nested ${parameter.name}`, path: goodPath, query: { [`${parameter.name}[a][b]`]: 'x' } });
      requests.push({
        what: `long ${parameter.name}`,
        path: goodPath,
        query: { [parameter.name]: 'x'.repeat(20_000) },
      });
      requests.push({ what: `NUL in ${parameter.name}`, path: goodPath, query: { [parameter.name]: '\0' } });
    }
  }
  if (method === 'GET') return requests;
  requests.shift();
  const post = (what: string, payload: string, contentType?: string) =>
    requests.push({ what, path: goodPath, payload, contentType });
  post('unknown field', '{"surprise":1}');
  post('prototype', '{"__proto__":{"is_admin":true}}');
  for (const value of ['null', '[]', '"text"', '7', 'true']) post(`body ${value}`, value);
  post('bad JSON', '{"a":');
  post('not JSON at all', 'a=b', 'application/x-www-form-urlencoded');
  post('XML', '<a/>', 'application/xml');
  post('bytes', 'abc', 'application/octet-stream');
  post('too large', JSON.stringify({ surprise: 'x'.repeat(1_100_000) }));
  const schema = operation.requestBody?.content?.['application/json']?.schema;
  for (const name of Object.keys(schema?.properties ?? {})) {
    for (const [what, value] of surprises) post(`${name} = ${what}`, JSON.stringify({ [name]: value }));
    // What nobody may assign, even beside a field that exists.
    post(
      `${name} beside a role`,
      JSON.stringify({ [name]: 'x', role: 'admin', balance: 1, plan: 'Expert', is_admin: true }),
    );
  }
  return requests;
}

async function expectNothingWritten(): Promise<void> {
  expect(await contentsNow(), 'something was written').toEqual(contents);
}

/** How many rows every table has, and the users' rights: what malformed input must leave as it was. */
async function contentsNow(): Promise<unknown> {
  const { db } = app.database;
  const rights = sql`select id, role, balance, plan from users order by id`;
  return { tables: rowsOf(await db.execute(count)), rights: rowsOf(await db.execute(rights)) };
}

async function countOf({ database }: TestApp): Promise<SQL> {
  // Kernels are sampled every minute, whatever is asked meanwhile.
  const found = sql`select tablename from pg_tables where schemaname = 'public' and tablename <> 'kernel_samples'`;
  const tables = rowsOf<{ tablename: string }>(await database.db.execute(found));
  const counts = tables.map(
    ({ tablename }) => sql`select ${tablename}::text as name, count(*)::int as total from ${sql.identifier(tablename)}`,
  );
  return sql`${sql.join(counts, sql` union all `)} order by 1`;
}
