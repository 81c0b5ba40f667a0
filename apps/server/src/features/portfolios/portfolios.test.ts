import type {
  ExchangeConnection,
  PortfolioDetail,
  PortfolioSummary,
  ProjectDetail,
  Publication,
  PublicationDetail,
  TradingOrder,
} from '@atoll/contract';
import { decimal } from '@atoll/trading';
import { describe, expect, test } from 'vitest';
import { newId } from '../../platform/db/columns.ts';
import { createSharedApp } from '../../test/test-app.ts';
import { closeDayJob } from './service/days.ts';

const app = await createSharedApp();

const day = 86_400_000;
type Portfolio = PortfolioDetail & { message: string };

async function owner() {
  const { id, token } = await app.person();
  const { body } = await app.call<{ entries: ExchangeConnection[] }>('GET', '/v1/exchange_connections', { token });
  return { id, token, connectionId: body.entries[0]?.id ?? '' };
}
type Owner = Awaited<ReturnType<typeof owner>>;

const create = async ({ token }: Owner, body: object) =>
  (await app.call<Portfolio>('POST', '/v1/portfolios', { token, body: { name: 'Mine', ...body } })).body;
const get = ({ token }: Pick<Owner, 'token'>, id: string) =>
  app.call<Portfolio>('GET', `/v1/portfolios/${id}`, { token });
const enter = ({ token }: Owner, id: string, body: object) =>
  app.call<{ id: string }>('POST', `/v1/portfolios/${id}/entries`, { token, body });
const buy = ({ token, connectionId }: Owner, amount: string, symbol = 'BTC/USDT', side = 'buy') =>
  app.post<TradingOrder>(token, '/v1/trading/orders', {
    connection_id: connectionId,
    request_id: newId(),
    symbol,
    side,
    type: 'market',
    amount,
  });
/** What the schedule does after midnight. */
const closeDay = () => closeDayJob.run({ ctx: app.app.system(), payload: {} } as Parameters<typeof closeDayJob.run>[0]);

describe('a portfolio of a connection', () => {
  test('has what is there, what it cost and what it brought', async () => {
    const who = await owner();
    const { id, total, holdings } = await create(who, { connection_ids: [who.connectionId] });
    expect(total).toBe('10000');
    expect(holdings).toMatchObject([{ asset: 'USDT', amount: '10000', share: 1 }]);
    const bought = await buy(who, '0.05');
    const after = (await get(who, id)).body;
    const bitcoin = after.holdings.find(({ asset }) => asset === 'BTC');
    expect(bitcoin).toMatchObject({ amount: '0.04995', realised: '0' });
    // What was paid, the fee included: what is left of the purchase cost all of it.
    const paid = decimal(bought.body.average ?? 0).times('0.05');
    expect(Number(bitcoin?.cost)).toBeCloseTo(Number(paid.toFixed()), 4);
    await buy(who, '0.04', 'BTC/USDT', 'sell');
    const sold = (await get(who, id)).body;
    expect(Number(sold.realised)).not.toBe(0);
    expect(Number(sold.fees)).toBeGreaterThan(0);
    expect(sold).toMatchObject({ environment: 'demo', is_yours: true, deposits: '0', connections: [{ type: 'demo' }] });
  });

  test('its returns begin with it: nothing is said of days there were none of', async () => {
    const who = await owner();
    const { id, returns, sharpe } = await create(who, { connection_ids: [who.connectionId] });
    expect(returns['7d']).toEqual({ value: null, reason: 'needs 7 days' });
    expect(sharpe).toEqual({ value: null, reason: 'too short to say: needs 30 days' });
    await buy(who, '0.1');
    for (let days = 0; days < 8; days++) {
      app.clock.time += day;
      await closeDay();
      await closeDay();
    }
    const later = (await get(who, id)).body;
    expect(later.equity).toHaveLength(9);
    const growth = later.equity.at(-1)?.growth ?? 0;
    expect(growth).toBeCloseTo(Number(later.total) / 10_000, 6);
    expect(later.returns.max.value).toBeCloseTo(growth - 1, 6);
    expect(later.returns['7d'].value).not.toBeNull();
  });

  test('targets, and the orders that reach them: sold first, placed once', async () => {
    const who = await owner();
    const { id } = await create(who, { connection_ids: [who.connectionId] });
    await buy(who, '0.1');
    const change = (targets: object) =>
      app.call<Portfolio>('PATCH', `/v1/portfolios/${id}`, { token: who.token, body: { targets } });
    expect((await change({ BTC: 0.8, ETH: 0.3 })).status).toBe(422);
    expect((await change({ BTC: -0.1 })).status).toBe(422);
    await change({ BTC: 0.2, ETH: 0.3 });
    const query = { connection_id: who.connectionId };
    const plan = await app.get<{ orders: { symbol: string; side: string; amount: string }[] }>(
      who.token,
      `/v1/portfolios/${id}/rebalance`,
      query,
    );
    expect(plan.body.orders).toMatchObject([
      { symbol: 'BTC/USDT', side: 'sell' },
      { symbol: 'ETH/USDT', side: 'buy' },
    ]);
    const body = {
      ...query,
      request_id: newId(),
      orders: plan.body.orders.map(({ symbol, side, amount }) => ({ symbol, side, amount })),
    };
    const placed = await Promise.all(
      [1, 2].map(() =>
        app.post<{ orders: TradingOrder[]; problem: null }>(who.token, `/v1/portfolios/${id}/rebalance`, body),
      ),
    );
    expect(placed.map((answer) => answer.body.orders.map((order) => order.id))).toEqual([
      placed[0]?.body.orders.map((order) => order.id),
      placed[0]?.body.orders.map((order) => order.id),
    ]);
    const more = { ...body, orders: [...body.orders, ...body.orders] };
    expect((await app.post(who.token, `/v1/portfolios/${id}/rebalance`, more)).status).toBe(409);
    const after = (await get(who, id)).body;
    const share = (asset: string) => after.holdings.find((each) => each.asset === asset)?.share;
    expect(share('BTC')).toBeCloseTo(0.2, 1);
    expect(share('ETH')).toBeCloseTo(0.3, 1);
    const history = await app.get<{ entries: TradingOrder[] }>(who.token, '/v1/trading/transactions');
    expect(history.body.entries.filter(({ source }) => source === 'portfolio')).toHaveLength(2);
  });
});

describe('a portfolio by hand', () => {
  test('is valued back to its first entry, with deposits taken out', async () => {
    const who = await owner();
    const { id } = await create(who, {});
    const ago = (days: number) => new Date(app.clock.time - days * day).toISOString();
    await enter(who, id, { kind: 'deposit', asset: 'USDT', amount: '1000', at: ago(40) });
    await enter(who, id, { kind: 'deposit', asset: 'usdt', amount: '5000', at: ago(10) });
    const idle = (await get(who, id)).body;
    expect(idle).toMatchObject({ total: '6000', deposits: '6000', returns: { max: { value: 0 } } });
    expect(idle.equity).toHaveLength(41);
    expect(idle.equity.at(-1)).toMatchObject({ equity: 6000, growth: 1 });
    await enter(who, id, { kind: 'buy', asset: 'ETH', amount: '0.1', price: '2500', fee: '1', at: ago(5) });
    const bought = (await get(who, id)).body;
    expect(bought.holdings.find(({ asset }) => asset === 'USDT')?.amount).toBe('5749');
    expect(bought.holdings.find(({ asset }) => asset === 'ETH')).toMatchObject({ amount: '0.1', cost: '251' });
    expect(bought.sharpe.value).not.toBeNull();
  });

  test.each([
    ['nothing', { kind: 'deposit', asset: 'USDT', amount: '0' }],
    ['less than nothing', { kind: 'deposit', asset: 'USDT', amount: '-5' }],
    ['no asset', { kind: 'deposit', asset: 'x y', amount: '5' }],
    ['the future', { kind: 'deposit', asset: 'USDT', amount: '5', at: '2099-01-01T00:00:00Z' }],
    ['what trades are paid with', { kind: 'buy', asset: 'USDT', amount: '5' }],
    ['no kind', { kind: 'gift', asset: 'USDT', amount: '5' }],
  ])('refuses %s', async (_name, body) => {
    const who = await owner();
    const { id } = await create(who, {});
    expect((await enter(who, id, body)).status).toBe(422);
  });

  test('entries are deleted once', async () => {
    const who = await owner();
    const { id } = await create(who, {});
    const { body } = await enter(who, id, { kind: 'deposit', asset: 'USDT', amount: '10' });
    const remove = () => app.call('DELETE', `/v1/portfolios/${id}/entries/${body.id}`, { token: who.token });
    expect((await remove()).status).toBe(200);
    expect((await remove()).status).toBe(404);
    expect((await get(who, id)).body.total).toBe('0');
  });
});

test('is published as an article with shares and returns, and no amounts', async () => {
  const who = await owner();
  const { id } = await create(who, { name: 'Long <run>', connection_ids: [who.connectionId] });
  await buy(who, '0.05');
  await closeDay();
  app.clock.time += day;
  const report = () =>
    app.call<{ file_id: string }>('POST', `/v1/portfolios/${id}/report`, { token: who.token, body: {} });
  const { file_id } = (await report()).body;
  const publish = (body: object) =>
    app.call<Publication>('PATCH', `/v1/publications/files/${file_id}`, { token: who.token, body });
  const published = await publish({ title: 'Long run', access_level: 'public' });
  expect(published).toMatchObject({ status: 200, body: { version_number: 1 } });
  const guest = await app.guest();
  const read = () =>
    app.call<PublicationDetail>('GET', `/v1/publications/by_slug/${published.body.slug}`, { token: guest.token });
  const { html } = (await read()).body;
  expect(html).toContain('<td>BTC</td>');
  expect(html).toContain('Largest fall');
  expect(html).not.toMatch(/10000|0\.0499/);
  // Written again, it is the same file, and the article stays as it is until a version is published.
  app.clock.time += day;
  expect((await report()).body.file_id).toBe(file_id);
  expect((await read()).body.html).toBe(html);
  expect((await publish({ publish_version: true })).body.version_number).toBe(2);
  expect((await read()).body.html).not.toBe(html);
  const stranger = await owner();
  const others = await app.call('POST', `/v1/portfolios/${id}/report`, { token: stranger.token, body: {} });
  expect(others.status).toBe(404);
});

describe('who sees it', () => {
  test('its owner, and whom the project is shared with; only its owner trades', async () => {
    const [who, friend, stranger] = [await owner(), await owner(), await owner()];
    const { id } = await create(who, { connection_ids: [who.connectionId] });
    expect((await get(stranger, id)).status).toBe(404);
    await app.share(who.token, id, friend.id, ['view']);
    expect((await get(friend, id)).body).toMatchObject({ total: '10000', is_yours: false, can_edit: false });
    const project = await app.call<ProjectDetail>('GET', `/v1/notebooks/${id}`, { token: friend.token });
    expect(project.body.portfolio).toEqual({
      ...{ assets: ['USDT'], holdings: [{ asset: 'USDT', amount: '10000' }], trade_asset: 'USDT', exchange: 'demo' },
      ...{ deposits: '0', withdrawals: '0' },
    });
    expect((await app.project(who.token)).portfolio).toBeNull();
    const list = await app.call<{ entries: PortfolioSummary[] }>('GET', '/v1/portfolios', { token: friend.token });
    expect(list.body.entries).toMatchObject([{ id, is_yours: false }]);
    expect((await enter(friend, id, { kind: 'deposit', asset: 'USDT', amount: '5' })).status).toBe(403);
    const taken = await app.post(friend.token, '/v1/portfolios', {
      name: 'Theirs',
      connection_ids: [who.connectionId],
    });
    expect(taken.status).toBe(404);
    await app.handOver(who, friend, id);
    expect((await get(friend, id)).body).toMatchObject({ total: '0', is_yours: true, connections: [] });
    await app.handOver(friend, who, id);
    expect((await get(who, id)).body).toMatchObject({ total: '10000', is_yours: true });
    await app.call('DELETE', `/v1/notebooks/${id}`, { token: who.token });
    expect((await get(who, id)).status).toBe(404);
    expect((await app.call<{ entries: object[] }>('GET', '/v1/portfolios', { token: who.token })).body.entries).toEqual(
      [],
    );
  });
});
