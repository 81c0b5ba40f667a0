import type { BalanceEntry, Voucher } from '@atoll/contract';
import { eq, inArray, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newId } from '../../platform/db/columns.ts';
import { createTestApp, type TestApp } from '../../test/test-app.ts';
import { ledgerEntries, ledgerTransactions } from '../ledger/table.ts';
import { users } from '../users/table.ts';
import { wrongWallets } from './service/entries.ts';
import { proveBooks } from './service/proof.ts';
import { type Move, moveUnits, reverseMove } from './service/units.ts';

interface Wallet {
  balance: number;
  unbounded_balance: number;
  entries: BalanceEntry[];
  next: number | null;
}

async function createWalletApp(env: Record<string, string> = {}) {
  const app = await createTestApp({ env });
  const { ctx, db } = app;
  return {
    ...app,
    move: (userId: string, amount: number, more: Partial<Move> = {}) =>
      ctx.write((write) =>
        moveUnits(ctx, write, { userId, amount, kind: 'manual', key: newId(), note: 'Test', ...more }),
      ),
    wallet: async (token: string, query: Record<string, string> = {}) =>
      (await app.call<Wallet>('GET', '/v1/wallet', { token, query })).body,
    /** What must hold whatever happened. */
    async expectSound() {
      expect(await wrongWallets(db)).toEqual([]);
      const unbalanced = await db
        .select({ id: ledgerTransactions.id })
        .from(ledgerTransactions)
        .leftJoin(ledgerEntries, eq(ledgerEntries.transactionId, ledgerTransactions.id))
        .groupBy(ledgerTransactions.id)
        .having(sql`coalesce(sum(${ledgerEntries.amount}), 1) <> 0 or count(*) < 2`);
      expect(unbalanced).toEqual([]);
    },
  };
}

test('200 debits at once on a balance of 100: exactly 100 are carried out', async () => {
  const app = await createWalletApp();
  const { id, token } = await app.person();
  await app.move(id, 100);
  const debits = await Promise.allSettled(
    Array.from({ length: 200 }, () => app.move(id, -1, { kind: 'subscription' })),
  );
  expect(debits.filter(({ status }) => status === 'fulfilled')).toHaveLength(100);
  for (const debit of debits)
    if (debit.status === 'rejected')
      expect(debit.reason).toMatchObject({ code: 'forbidden', extras: { details: { needed: 1, balance: 0 } } });
  const { balance, entries } = await app.wallet(token, { page_size: '100' });
  expect(balance).toBe(0);
  expect(entries.map((entry) => entry.balance)).toEqual(Array.from({ length: 100 }, (_, index) => index));
  await app.expectSound();
});

test('the same move 50 times moves units once; another one cannot have its key', async () => {
  const app = await createWalletApp();
  const [{ id }, other] = [await app.person(), await app.person()];
  await app.move(id, 500);
  const key = newId();
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => app.move(id, -100, { kind: 'subscription', key })),
  );
  expect(answers.filter(({ isRepeated }) => !isRepeated)).toHaveLength(1);
  expect(new Set(answers.map(({ transactionId, balance }) => `${transactionId} ${balance}`)).size).toBe(1);
  await expect(app.move(id, -200, { kind: 'subscription', key })).rejects.toMatchObject({ code: 'conflict' });
  await expect(app.move(other.id, -100, { kind: 'subscription', key })).rejects.toMatchObject({ code: 'conflict' });
  const [user] = await app.db.select().from(users).where(eq(users.id, id));
  expect(user?.balance).toBe(400);
  await app.expectSound();
});

test('a refused debit leaves nothing behind, and its key can be used once there is enough', async () => {
  const app = await createWalletApp();
  const { id } = await app.person();
  const key = newId();
  await expect(app.move(id, -10, { key })).rejects.toMatchObject({
    message: 'This costs 10 units, and your balance is 0 units. Add units first.',
  });
  expect(await app.db.select().from(ledgerTransactions)).toEqual([]);
  await app.move(id, 10);
  expect(await app.move(id, -10, { key })).toMatchObject({ balance: 0, isRepeated: false });
  await app.expectSound();
});

test.each([0, 0.5, Number.NaN, 1e300, -1e300])('%d is no amount', async (amount) => {
  const app = await createWalletApp();
  const { id } = await app.person();
  await expect(app.move(id, amount)).rejects.toThrow(RangeError);
  expect(await app.db.select().from(ledgerTransactions)).toEqual([]);
});

test('a wallet has an upper limit, and belongs to a person who exists', async () => {
  const app = await createWalletApp();
  const { id } = await app.person();
  await app.move(id, 2_000_000_000);
  await expect(app.move(id, 1)).rejects.toMatchObject({ code: 'unprocessable_entity' });
  await expect(app.move(newId(), 1)).rejects.toMatchObject({ code: 'not_found' });
  await app.expectSound();
});

test('a reversal books back once, and never below zero', async () => {
  const app = await createWalletApp();
  const { id, token } = await app.person();
  const { transactionId } = await app.move(id, 100);
  const reverse = () => app.ctx.write((write) => reverseMove(app.ctx, write, transactionId, 'Credited by mistake'));
  await app.move(id, -40, { kind: 'subscription' });
  await expect(reverse()).rejects.toMatchObject({ code: 'forbidden' });
  await app.move(id, 40);
  for (let again = 0; again < 3; again++) expect(await reverse()).toMatchObject({ balance: 0 });
  expect((await app.wallet(token)).entries[0]).toMatchObject({
    type: 'debit',
    kind: 'reversal',
    amount: -100,
    balance: 0,
    note: 'Credited by mistake',
  });
  await app.expectSound();
});

test('moves mixed at random, some rolled back: books and balances agree, and nothing is below zero', async () => {
  const app = await createWalletApp();
  const people = [await app.person(), await app.person(), await app.person()];
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
  const moves = Array.from({ length: 150 }, () => ({
    userId: people[random(3)]?.id ?? '',
    amount: random(2) === 0 ? random(50) + 1 : -random(50) - 1,
    key: `mixed:${random(120)}`,
    isKilled: random(5) === 0,
  }));
  await Promise.allSettled(
    moves.map(({ isKilled, ...move }) =>
      app.ctx.write(async (write) => {
        await moveUnits(app.ctx, write, { ...move, kind: 'manual', note: '' });
        if (isKilled) throw new Error('killed');
      }),
    ),
  );
  expect((await app.db.select().from(ledgerTransactions)).length).toBeGreaterThan(30);
  await app.expectSound();
});

test('entries are read newest first, by kind and date, page by page', async () => {
  const app = await createWalletApp();
  const { id, token } = await app.person();
  expect(await app.wallet(token)).toEqual({ balance: 0, reserved: 0, unbounded_balance: 0, entries: [], next: null });
  await app.move(id, 300);
  app.clock.advance(86_400_000);
  const noon = new Date(app.clock.time).toISOString();
  for (let each = 0; each < 4; each++) await app.move(id, -10, { kind: 'subscription', note: `Plan ${each}` });
  const seen: number[] = [];
  for (let before: number | null = 0; before !== null; ) {
    const query = { page_size: '2', ...(before > 0 ? { before: String(before) } : {}) };
    const { entries, next }: Wallet = await app.wallet(token, query);
    seen.push(...entries.map(({ balance }) => balance));
    before = next;
  }
  expect(seen).toEqual([260, 270, 280, 290, 300]);
  expect((await app.wallet(token, { kind: 'manual' })).entries).toHaveLength(1);
  expect((await app.wallet(token, { from: noon })).entries).toHaveLength(4);
  expect((await app.wallet(token, { to: noon })).entries).toHaveLength(1);
  expect((await app.call('GET', '/v1/balance', { token })).body).toEqual({ balance: 260 });
  expect((await app.call('GET', '/v1/me', { token })).body).toMatchObject({ balance: 260 });
  // Others see nothing of it.
  expect((await app.wallet((await app.person()).token)).entries).toEqual([]);
  const wrong: Record<string, string>[] = [{ kind: 'gift' }, { before: '0.5' }, { from: 'yesterday' }, { user_id: id }];
  for (const query of wrong)
    expect((await app.call('GET', '/v1/wallet', { token, query })).status, JSON.stringify(query)).toBe(422);
});

test('csv has all entries, and no formula', async () => {
  const app = await createWalletApp();
  const { id, token } = await app.person();
  await app.move(id, 20, { note: '=HYPERLINK("https://spy.example")' });
  await app.move(id, -5, { kind: 'subscription', note: 'Pro, "monthly"' });
  const csv = await app.call<string>('GET', '/v1/wallet/csv', { token });
  const date = new Date(app.clock.time).toISOString();
  expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(csv.body.split('\r\n')).toEqual([
    'date,kind,amount,balance,note',
    `${date},subscription,-5,15,"Pro, ""monthly"""`,
    `${date},manual,20,20,"'=HYPERLINK(""https://spy.example"")"`,
    '',
  ]);
  expect((await app.call('GET', '/v1/wallet/csv', { token, query: { kind: 'x' } })).status).toBe(422);
});

test('the database itself refuses a balance below zero and changed entries', async () => {
  const app = await createWalletApp();
  const { id } = await app.person();
  await app.move(id, 20);
  await expect(app.db.update(users).set({ balance: -1 }).where(eq(users.id, id))).rejects.toThrow();
  await expect(app.db.update(ledgerEntries).set({ amount: 1 })).rejects.toThrow();
  await expect(app.db.delete(ledgerTransactions)).rejects.toThrow();
  await app.db.update(users).set({ balance: 21 }).where(eq(users.id, id));
  expect(await wrongWallets(app.db)).toEqual([{ userId: id }]);
});

test('the nightly proof finds what differs from the books, and tells admins once a day', async () => {
  const app = await createWalletApp();
  const admin = await app.admin();
  const { id, token } = await app.person();
  await app.move(id, 20);
  expect(await proveBooks(app.ctx)).toEqual({ wrong: 0 });
  await app.db.update(users).set({ balance: 21 }).where(eq(users.id, id));
  for (let again = 0; again < 2; again++) expect(await proveBooks(app.ctx)).toEqual({ wrong: 1 });
  const told = async (of: string) => (await app.notifications(of)).map(({ type, metadata }) => [type, metadata.reason]);
  expect(await told(admin.token)).toEqual([
    ['books_notice', 'Balances differ from the books: 1 wallets. See the log of the server'],
  ]);
  expect(await told(token)).toEqual([]);
});

test('units are moved to the optional service and back where it is on, and nowhere else', async () => {
  const off = await createWalletApp();
  const other = await off.person();
  const config = await off.call('GET', '/v1/unbounded/config', { token: other.token });
  expect(config.body).toEqual({ enabled: false });
  const denied = { status: 403, body: { details: { reason: 'disabled_in_configuration' } } };
  expect(await off.call('POST', '/v1/wallet/transfer', { token: other.token, body: { amount: -1 } })).toMatchObject(
    denied,
  );
  const status = await off.call('GET', `/v1/unbounded/tx_status/${newId()}`, { token: other.token });
  expect(status.status).toBe(404);

  const app = await createWalletApp({ ATOLL_UNBOUNDED: 'on' });
  const { id, token } = await app.person();
  await app.move(id, 100);
  const transfer = (amount: unknown, request_id = newId()) =>
    app.call<{ id: string }>('POST', '/v1/wallet/transfer', { token, body: { amount, request_id } });
  const request = newId();
  const answers = await Promise.all(Array.from({ length: 20 }, () => transfer(-60, request)));
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect(answers[0]?.body).toMatchObject({ balance: 40, unbounded_balance: 60 });
  expect((await transfer(-61, request)).status).toBe(409);
  expect((await transfer(-41)).status).toBe(403);
  expect((await transfer(61)).status).toBe(403);
  for (const amount of [0, 0.5, 1e12, '5', null]) expect((await transfer(amount)).status, String(amount)).toBe(422);
  const back = await transfer(10);
  expect(back.body).toMatchObject({ balance: 50, unbounded_balance: 50 });
  expect((await app.call('GET', `/v1/unbounded/tx_status/${back.body.id}`, { token })).body).toMatchObject({
    status: 'completed',
    amount: 10,
  });
  const eve = await app.person();
  expect((await app.call('GET', `/v1/unbounded/tx_status/${back.body.id}`, { token: eve.token })).status).toBe(404);
  const { unbounded_balance, entries } = await app.wallet(token);
  expect(unbounded_balance).toBe(50);
  expect(entries.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['transfer', 10],
    ['transfer', -60],
    ['manual', 100],
  ]);
  await app.expectSound();
});

const voucherOf = async (app: TestApp, token: string, body: object) =>
  (await app.call<Voucher & { code: string }>('POST', '/v1/admin/vouchers', { token, body })).body;
const redeem = (app: TestApp, token: string, code: string) =>
  app.call<{ units: number; balance: number }>('POST', '/v1/wallet/vouchers/redeem', { token, body: { code } });

test('a voucher brings units once to each person, and to no more people than it was made for', async () => {
  const app = await createWalletApp();
  const admin = await app.admin();
  const people = await Promise.all(Array.from({ length: 4 }, () => app.person()));
  const voucher = await voucherOf(app, admin.token, { units: 500, count: 3, note: 'Workshop' });
  expect(voucher.code).toMatch(/^(\w{5}-){3}\w{5}$/);
  const ada = people[0]?.token ?? '';
  const again = await Promise.all(Array.from({ length: 50 }, () => redeem(app, ada, voucher.code)));
  expect(again.filter(({ status }) => status === 200)).toMatchObject([{ body: { units: 500, balance: 500 } }]);
  expect(again.filter(({ status }) => status === 409)).toHaveLength(49);
  const typed = ` ${voucher.code.toLowerCase().replaceAll('-', ' ')} `;
  const others = await Promise.all(people.slice(1).map(({ token }) => redeem(app, token, typed)));
  expect(others.map(({ status }) => status).sort()).toEqual([200, 200, 410]);
  expect((await app.wallet(ada)).entries).toMatchObject([{ kind: 'voucher', amount: 500, note: 'Workshop' }]);
  const list = await app.call<{ entries: Voucher[] }>('GET', '/v1/admin/vouchers', { token: admin.token });
  expect(list.body.entries).toMatchObject([{ units: 500, count: 3, redeemed: 3 }]);
  expect(JSON.stringify(list.body)).not.toContain(voucher.code);
  await app.expectSound();
});

test('a voucher expires; one that does not exist says so', async () => {
  const app = await createWalletApp();
  const admin = await app.admin();
  const { token } = await app.person();
  const expires_at = new Date(app.clock.time + 60_000).toISOString();
  const { code } = await voucherOf(app, admin.token, { units: 5, expires_at });
  app.clock.advance(60_000);
  expect((await redeem(app, token, code)).status).toBe(410);
  expect((await redeem(app, token, 'AAAAA')).status).toBe(404);
  expect((await app.wallet(token)).balance).toBe(0);
  const wrong = [
    { units: 0 },
    { units: -1 },
    { units: 0.5 },
    { units: 1e12 },
    { units: 5, count: 0 },
    { units: 5, expires_at },
  ];
  for (const body of wrong)
    expect((await app.call('POST', '/v1/admin/vouchers', { token: admin.token, body })).status).toBe(422);
  await app.expectSound();
});

test('an admin adds and takes units with a reason, once for each request', async () => {
  const app = await createWalletApp();
  const admin = await app.admin();
  const ada = await app.person();
  const path = `/v1/admin/users/${ada.id}/wallet_transactions`;
  const credit = (body: object) => app.call('POST', path, { token: admin.token, body });
  const body = { request_id: newId(), amount: 700, reason: 'Paid by transfer' };
  const answers = await Promise.all(Array.from({ length: 50 }, () => credit(body)));
  expect(new Set(answers.map((answer) => JSON.stringify([answer.status, answer.body])))).toEqual(
    new Set([JSON.stringify([200, { balance: 700, is_waiting: false }])]),
  );
  expect((await credit({ ...body, amount: 800 })).status).toBe(409);
  expect((await credit({ ...body, reason: 'Paid by card' })).status).toBe(409);
  expect((await credit({ request_id: newId(), amount: -701, reason: 'x' })).status).toBe(403);
  expect((await credit({ request_id: newId(), amount: -200, reason: 'Slip' })).body).toMatchObject({ balance: 500 });
  for (const amount of [0, 0.5, 1e12, -1e12, '5', null])
    expect((await credit({ request_id: newId(), amount, reason: 'x' })).status, String(amount)).toBe(422);
  expect((await credit({ request_id: newId(), amount: 5, reason: ' ' })).status).toBe(422);
  const read = await app.call<Wallet>('GET', path, { token: admin.token });
  expect(read.body.entries).toMatchObject([{ note: 'Slip' }, { note: 'Paid by transfer', balance: 700 }]);
  const [header] = await app.db.select().from(ledgerTransactions);
  expect(header?.actorId).toBe(admin.id);
  await app.expectSound();
});

/** What can be asked for, whatever else was. Few people, keys and amounts, so that they meet. */
const act = fc.oneof(
  fc.record({
    act: fc.constant('move' as const),
    person: fc.nat(1),
    amount: fc.integer({ min: -60, max: 60 }).filter((amount) => amount !== 0),
    key: fc.nat(11),
    kind: fc.constantFrom('manual' as const, 'subscription' as const),
  }),
  fc.record({ act: fc.constant('reverse' as const), key: fc.nat(11) }),
);

test('whatever is moved and booked back, at once and again, is what a simple account would say', async () => {
  const app = await createWalletApp();
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 25 }), async (acts) => {
      const people = [await app.person(), await app.person()].map(({ id }) => id);
      const run = newId();
      const balances = [0, 0];
      const done = new Map<number, { person: number; amount: number; kind: string; id: string; isReversed: boolean }>();
      for (const each of acts) {
        const before = done.get(each.key);
        if (each.act === 'reverse') {
          if (!before) continue;
          const after = (balances[before.person] ?? 0) - before.amount;
          const answer = app.ctx.write((write) => reverseMove(app.ctx, write, before.id, 'Test'));
          if (!before.isReversed && after < 0) await expect(answer).rejects.toThrow();
          else await answer;
          if (before.isReversed || after < 0) continue;
          balances[before.person] = after;
          before.isReversed = true;
          continue;
        }
        const { person, amount, kind } = each;
        const userId = people[person] ?? '';
        // Twice at the same time, as an impatient browser does.
        const twice = await Promise.allSettled(
          [1, 2].map(() => app.move(userId, amount, { kind, key: `${run}:${each.key}` })),
        );
        const isSame = before && before.person === person && before.amount === amount && before.kind === kind;
        const mayBe = before ? isSame : (balances[person] ?? 0) + amount >= 0;
        expect(twice.map(({ status }) => status === 'fulfilled')).toEqual([Boolean(mayBe), Boolean(mayBe)]);
        const [first] = twice;
        if (before || first?.status !== 'fulfilled') continue;
        balances[person] = (balances[person] ?? 0) + amount;
        done.set(each.key, { person, amount, kind, id: first.value.transactionId, isReversed: false });
      }
      const stored = await app.db.select().from(users).where(inArray(users.id, people));
      expect(people.map((id) => stored.find((user) => user.id === id)?.balance)).toEqual(balances);
      await app.expectSound();
    }),
    { numRuns: 25 },
  );
});
