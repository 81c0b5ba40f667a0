import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Session, TradingBalance, TradingOrder } from '@atoll/contract';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { Pool } from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { newId } from '../platform/db/columns.ts';
import { openDatabase } from '../platform/db/database.ts';
import { createTestApp, testPassword } from './test-app.ts';

const migrations = join(import.meta.dirname, '../migrations');
/** The migration that the rows in `releases/` are of. */
const release = '0051';

/** The migrations up to that of the release, as it had them. */
function migrationsOfRelease(): string {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-migrations-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(migrations, folder, { recursive: true });
  const path = join(folder, 'meta/_journal.json');
  const journal = JSON.parse(readFileSync(path, 'utf8')) as { entries: { tag: string }[] };
  const entries = journal.entries.filter(({ tag }) => tag.slice(0, 4) <= release);
  expect(entries.length).toBeLessThan(journal.entries.length);
  writeFileSync(path, JSON.stringify({ ...journal, entries }));
  return folder;
}

test('what a former release has stored is there after the migrations, and the product works with it', async () => {
  const name = `release_${newId().replaceAll('-', '')}`;
  const server = new Pool({ connectionString: inject('postgresUrl'), max: 1 });
  await server.query(`create database ${name}`);
  await server.end();
  const url = inject('postgresUrl').replace(/\/postgres$/, `/${name}`);
  const former = new Pool({ connectionString: url, max: 1 });
  await migrate(drizzle(former), { migrationsFolder: migrationsOfRelease() });
  await former.query(readFileSync(join(import.meta.dirname, `releases/${release}.sql`), 'utf8'));
  await former.end();

  const database = await openDatabase({ url, dataFolder: '' });
  onTestFinished(() => database.close());
  const clock = {
    time: Date.UTC(2026, 10, 16, 12),
    advance(ms: number) {
      this.time += ms;
    },
  };
  const app = await createTestApp({ beside: { database, clock } });
  const signIn = async (email: string) =>
    (await app.call<Session>('POST', '/v1/sign_in', { body: { email, password: testPassword } })).body.token ?? '';
  const [ada, bob] = [await signIn('ada@example.org'), await signIn('bob@example.org')];
  const get = async <Body>(path: string, token: string) => {
    const { status, body } = await app.call<Body>('GET', path, { token });
    expect(status, path).toBe(200);
    return body;
  };
  type List<Entry = object> = { entries: Entry[] };

  const { entries: projects } = await get<List<{ id: string; name: string }>>('/v1/notebooks', ada);
  const project = projects.find((each) => each.name === 'Tides');
  for (const token of [ada, bob]) {
    expect(await get(`/v1/notebooks/${project?.id}`, token)).toMatchObject({ name: 'Tides' });
    const { entries } = await get<List>(`/v1/notebooks/${project?.id}/comments`, token);
    expect(entries).toMatchObject([{ content: 'Is this the *low* tide?' }]);
  }
  expect((await get<List>('/v1/teams', ada)).entries).toMatchObject([{ name: 'Harbour', users_count: 1 }]);
  expect(await get('/v1/balance', ada)).toMatchObject({ balance: 700 });
  const orders = await get<List<TradingOrder>>('/v1/trading/transactions', ada);
  expect(orders.entries).toMatchObject([{ state: 'rejected' }, { state: 'closed', filled: '0.01' }]);
  const { entries: balances } = await get<List<TradingBalance>>('/v1/trading/balance', ada);
  expect(balances.find(({ asset }) => asset === 'BTC')).toMatchObject({ free: '0.00999' });
  const { entries: portfolios } = await get<List>('/v1/portfolios', ada);
  expect(portfolios).toMatchObject([{ name: 'By hand', total: '100' }]);

  // And goes on with it.
  const [{ connection_id } = { connection_id: '' }] = orders.entries;
  const order = {
    connection_id,
    request_id: newId(),
    symbol: 'BTC/USDT',
    side: 'sell',
    type: 'market',
    amount: '0.005',
  };
  const sold = await app.call<TradingOrder>('POST', '/v1/trading/orders', { token: ada, body: order });
  expect(sold.body).toMatchObject({ state: 'closed' });
  const said = await app.post(bob, `/v1/notebooks/${project?.id}/comments`, { content: 'Yes' });
  expect(said.status).toBe(200);
});
