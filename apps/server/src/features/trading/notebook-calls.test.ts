import { type Notebook, type TradingOrder, topicName, topics } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { connect, join } from '../../test/realtime-client.ts';
import { code } from '../../test/set-ups/notebooks.ts';
import { createTestApp } from '../../test/test-app.ts';
import { enqueue } from '../notebooks/service/queue/queue.ts';
import { notebookRunnerOf } from '../notebooks/service/queue/runner.ts';
import { projectGrants, projects } from '../projects/table.ts';

const cells = {
  candles: `import atoll
prices = atoll.trading.candles("BTC/USDT", "1h", limit=24)
print(type(prices).__name__, prices.shape, list(prices.columns), prices.index.tz)`,
  lists: `import sys
sys.modules["pandas"] = None
prices = atoll.trading.candles("BTC/USDT", limit=3)
del sys.modules["pandas"]
print(sorted(prices), len(prices["time"]))`,
  balances: 'print([(each["asset"], each["free"]) for each in atoll.trading.balances()])',
  order: `from atoll.trading import order, transactions
placed = order("BTC/USDT", "buy", "0.01")
print(placed["state"], placed["source"], transactions()[0]["id"] == placed["id"])`,
  wrong: 'atoll.trading.order("BTC/USDT", "buy", "-1")',
  large: 'atoll.trading.order("BTC/USDT", "buy", "1000")',
  unknown: 'atoll._call("trading.withdraw")',
};
type Name = keyof typeof cells;

test('code in a notebook reads prices, and trades on the demo where its owner alone runs it and presses the key', async () => {
  const app = await createTestApp({ kernels: 'real' });
  const { token, id: userId } = await app.person();
  const written = Object.entries(cells).map(([id, source]) => code(source, id));
  const { id: projectId, fileId } = await app.notebookProject(token, written);
  const address = { projectId, fileId };
  const topic = await join(await connect(app, token), topicName(topics.notebook, address));
  const read = async () => (await topic.push('get_notebook', {})) as unknown as Notebook;
  const shown = async (cell_id: Name) => {
    await expect.poll(async () => (await read()).queue.length, { interval: 100 }).toBe(0);
    const { outputs = [] } = (await read()).cells.find(({ id }) => id === cell_id) ?? {};
    return outputs
      .map((each) => ('text' in each ? each.text : 'evalue' in each ? `${each.ename}: ${each.evalue}` : ''))
      .join('');
  };
  const run = async (cell_id: Name) => {
    await topic.push('execute_cell', { request_id: crypto.randomUUID(), cell_id });
    return shown(cell_id);
  };
  const orders = async () =>
    (await app.call<{ entries: TradingOrder[] }>('GET', '/v1/trading/transactions', { token })).body.entries;

  expect(await run('candles')).toBe("DataFrame (24, 5) ['open', 'high', 'low', 'close', 'volume'] UTC\n");
  expect(await run('lists')).toBe("['close', 'high', 'low', 'open', 'time', 'volume'] 3\n");
  expect(await run('balances')).toBe("[('USDT', '10000')]\n");
  expect(await run('order')).toBe('closed notebook True\n');
  expect(await orders()).toMatchObject([{ symbol: 'BTC/USDT', state: 'closed', source: 'notebook' }]);
  expect(await run('wrong')).toMatch(/^AtollError: .*at amount/s);
  expect(await run('large')).toMatch(/^AtollError: /);
  expect(await run('unknown')).toBe('AtollError: This server offers no trading.withdraw.');
  // None of it was a question to people.
  expect(JSON.stringify(topic.events)).not.toContain('atoll-call');

  // Not pressed by a person: by itself, or by the assistant.
  const ctx = app.app.system().as({ kind: 'user', userId, isAdmin: false });
  await enqueue(ctx, address, { cellIds: ['order'], wake: () => notebookRunnerOf(ctx).wake(address) });
  expect(await shown('order')).toContain('An order is placed only by a cell that you run yourself.');
  // With somebody else who may change the code.
  const { id: otherId } = await app.person();
  const grant = { projectId, userId: otherId, permissions: ['view', 'edit'] as ('view' | 'edit')[] };
  await app.database.db.insert(projectGrants).values({ ...grant, createdAt: new Date(app.clock.time) });
  for (const name of ['order', 'balances'] as const)
    expect(await run(name)).toContain('Your account can only be used in your own notebooks');
  expect(await run('candles')).toContain('DataFrame');
  await app.database.db.delete(projectGrants).where(eq(projectGrants.projectId, projectId));
  expect(await run('balances')).toContain('BTC');
  // A copy of what somebody else has written.
  await app.database.db.update(projects).set({ isHidden: true }).where(eq(projects.id, projectId));
  expect(await run('order')).toContain('Your account can only be used in your own notebooks');
  // What came from another owner and was not read yet.
  const fromAnother = { isHidden: false, isAwaitingReview: true };
  await app.database.db.update(projects).set(fromAnother).where(eq(projects.id, projectId));
  for (const name of ['order', 'balances'] as const)
    expect(await run(name)).toContain('Your account can only be used in your own notebooks');
  expect(await orders()).toHaveLength(1);
});
