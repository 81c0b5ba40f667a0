import { apiPrefix } from '@atoll/contract';
import { sql } from 'drizzle-orm';
import type { Pool } from 'pg';
import type { App } from '../apps/server/src/app.ts';
import { moveUnits } from '../apps/server/src/features/wallet/service/units.ts';
import { newId } from '../apps/server/src/platform/db/columns.ts';
import type { OpenDatabase } from '../apps/server/src/platform/db/database.ts';
import { median, type Result } from './report.ts';
import { durable, person, withApp, withPool, withPostgres } from './set-up.ts';

const connections = 32;
const debitsPerRound = 1_500;
const rounds = 5;
const reads = 150;
const warmUp = 30;

/** Debits on one hot wallet, and a wallet with very many entries, on PostgreSQL that waits for its disk. */
export const wallet = (): Promise<Result[]> =>
  withPostgres(durable, (urlOf) =>
    withApp(urlOf('postgres'), (app, database) =>
      withPool(urlOf('postgres'), connections, async (bare) => [
        ...(await hotWallet(app, bare)),
        await exactlyAsManyAsThereAre(app),
        ...(await manyEntries(app, database)),
      ]),
    ),
  );

const move = (app: App, userId: string, amount: number, key = newId()) => {
  const ctx = app.system();
  return ctx.write((write) =>
    moveUnits(ctx, write, { userId, amount, kind: amount > 0 ? 'manual' : 'service_usage', key, note: 'Bench' }),
  );
};

/** So many at once, until all are done; milliseconds for one. */
async function inParallel(total: number, work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  let left = total;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (left-- > 0) await work();
    }),
  );
  return (performance.now() - began) / total;
}

/** All that a debit stores, event and message to the person's pages included, in one statement with nothing around it. */
const bareDebit = `
  with claimed as (
    insert into ledger_transactions (id, asset, kind, key, note, created_at)
    values ($1, 'units', 'service_usage', $2, 'Bench', $3) on conflict (key) do nothing returning id
  ), moved as (
    update users u set balance = u.balance - 1 from claimed where u.id = $4 and u.balance >= 1 returning u.id, u.balance
  ), legs as (
    insert into ledger_entries (transaction_id, account, user_id, period, amount, balance)
    select claimed.id, leg.account, leg.user_id, 'units', leg.amount, leg.balance
    from claimed cross join moved cross join lateral (values
      ('wallet', moved.id, -1, moved.balance::bigint), ('spent', null, 1, null)) as leg (account, user_id, amount, balance)
  ), event as (
    insert into events (id, name, payload, request_id, created_at, due_at)
    select $5::uuid, 'wallet.changed', $6::jsonb, 'bench', $3, $3 from moved
  ), next as (
    insert into topics (topic, position) select $7, 1 from moved
    on conflict (topic) do update set position = topics.position + 1 returning topic, position
  ), message as (
    insert into topic_events (topic, position, event, payload, created_at)
    select topic, position, 'wallet_changed', '{}', $3 from next
  ) select balance from moved`;

async function hotWallet(app: App, bare: Pool): Promise<Result[]> {
  const [hot, other] = [await person(app), await person(app)];
  for (const { id } of [hot, other]) await move(app, id, 1_000_000_000);
  const debitBare = () => {
    const id = newId();
    const payload = { user_id: other.id, transaction_id: id, kind: 'service_usage', amount: -1 };
    const values = [id, newId(), new Date(), other.id, newId(), payload, `bench/${other.id}`];
    return bare.query({ name: 'debit', text: bareDebit, values });
  };
  const [ours, theirs]: [number[], number[]] = [[], []];
  // In turns, so that what else the machine does meets both; the first round warms up.
  for (let round = 0; round <= rounds; round++) {
    const bareMs = await inParallel(debitsPerRound, debitBare);
    const ourMs = await inParallel(debitsPerRound, () => move(app, hot.id, -1));
    if (round === 0) continue;
    ours.push(ourMs);
    theirs.push(bareMs);
  }
  return [
    {
      name: `a debit on one hot wallet, ${connections} at once`,
      value: median(ours),
      unit: 'ms',
      peer: { name: 'one bare statement that stores the same', value: median(theirs) },
      // At least 0.8 of the rate.
      limit: { of: 'ratio', max: 1 / 0.8 },
    },
  ];
}

async function exactlyAsManyAsThereAre(app: App): Promise<Result> {
  const { id } = await person(app);
  await move(app, id, 100);
  const debits = await Promise.allSettled(Array.from({ length: 200 }, () => move(app, id, -1)));
  const done = debits.filter(({ status }) => status === 'fulfilled').length;
  return {
    name: '200 debits at once on a balance of 100: how many more or fewer than 100 were carried out',
    value: Math.abs(done - 100),
    unit: 'debits',
    limit: { of: 'value', max: 0 },
  };
}

async function manyEntries(app: App, database: OpenDatabase): Promise<Result[]> {
  const [many, few] = [await person(app), await person(app)];
  await fill(database, many.id, 1_000_000);
  await fill(database, few.id, 1_000);
  await database.db.execute(sql`analyze`);
  const open = (token: string, before?: number) =>
    app.http.inject({
      method: 'GET',
      url: `${apiPrefix}/v1/wallet?page_size=20${before ? `&before=${before}` : ''}`,
      headers: { authorization: `Bearer ${token}` },
    });
  const middle = async (userId: string) => {
    const { rows } = (await database.db.execute(sql`
      select percentile_disc(0.5) within group (order by id)::float8 as id from ledger_entries
      where user_id = ${userId}`)) as unknown as { rows: { id: number }[] };
    return rows[0]?.id;
  };
  const results: Result[] = [];
  for (const [name, from] of [
    ['opens', async () => undefined],
    ['pages in the middle', middle],
  ] as const) {
    const [manyFrom, fewFrom] = [await from(many.id), await from(few.id)];
    const [manyTimes, fewTimes]: [number[], number[]] = [[], []];
    for (let round = 0; round < warmUp + reads; round++) {
      for (const [{ token }, before, times] of [
        [many, manyFrom, manyTimes],
        [few, fewFrom, fewTimes],
      ] as const) {
        const began = performance.now();
        const { statusCode } = await open(token, before);
        if (statusCode !== 200) throw new Error(`The wallet answered ${statusCode}`);
        if (round >= warmUp) times.push(performance.now() - began);
      }
    }
    results.push({
      name: `a wallet with 1,000,000 entries ${name}`,
      value: median(manyTimes),
      unit: 'ms',
      peer: { name: 'one with 1,000', value: median(fewTimes) },
      limit: { of: 'ratio', max: 1.3 },
    });
  }
  return results;
}

/** As the service would have written them, without its checks: they would take an hour. */
async function fill({ db }: OpenDatabase, userId: string, count: number): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`set transaction read write`);
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`
      with made as (
        insert into ledger_transactions (id, asset, kind, note, created_at)
        select gen_random_uuid(), 'units', 'manual', 'Bench', now() from generate_series(1, ${count}::int)
        returning id
      ), numbered as (select id, row_number() over () as number from made)
      insert into ledger_entries (transaction_id, account, user_id, period, amount, balance)
      select id, leg.account, leg.user_id, 'units', leg.amount, leg.balance from numbered
      cross join lateral (values ('wallet', ${userId}::uuid, 1, number), ('issued', null, -1, null))
        as leg (account, user_id, amount, balance)`);
    await tx.execute(sql`update users set balance = ${count} where id = ${userId}`);
  });
}
