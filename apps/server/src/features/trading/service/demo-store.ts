import { type DemoAccount, type DemoStore, startingBalances } from '@atoll/trading';
import { eq } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { type DemoAccountRow, type DemoOrderRow, demoAccounts } from '../table.ts';
import { begin, lockDemoAccount, selectDemoOrders, updateDemoBalances, upsertDemoOrder } from './statements.ts';

type Stored = [DemoAccountRow[], DemoOrderRow[]];

/** Its account, locked, with the open orders and the one that is named; asked for at once. */
export const readDemo = (tx: Transaction, connectionId: string, clientId: string | null): Promise<Stored> =>
  Promise.all([lockDemoAccount(tx, { connectionId }), selectDemoOrders(tx, { connectionId, clientId })]);

/** The accounts of the demo, in the database: one transaction for each change, or part of the one that is under way. */
export const demoStore = (ctx: Context, read = readDemo): DemoStore => ({
  change: (connectionId, clientId, work) =>
    ctx.write(async (write) => {
      const { tx } = write;
      const [[row], orders] = await read(tx, connectionId, clientId);
      const balances = row?.balances ?? (await openAccount(tx, connectionId));
      const account: DemoAccount = {
        balances: new Map(Object.entries(balances)),
        orders: new Map(orders.map(({ order }) => [order.clientId, order])),
      };
      const [before, owned] = [
        new Map(orders.map(({ order }) => [order.clientId, JSON.stringify(order)])),
        JSON.stringify(balances),
      ];
      const result = work(account);
      const after = JSON.stringify(Object.fromEntries(account.balances));
      if (after !== owned) begin(write, updateDemoBalances({ connectionId, balances: after }));
      for (const order of account.orders.values()) {
        if (before.get(order.clientId) === JSON.stringify(order)) continue;
        begin(
          write,
          upsertDemoOrder({ connectionId, clientId: order.clientId, isOpen: order.state === 'open', order }),
        );
      }
      return result;
    }),
});

/** Of two who open it at once, one waits for the other. */
async function openAccount(tx: Transaction, connectionId: string) {
  const balances = Object.fromEntries(startingBalances());
  await tx.insert(demoAccounts).values({ connectionId, balances }).onConflictDoNothing();
  const [row] = await tx.select().from(demoAccounts).where(eq(demoAccounts.connectionId, connectionId)).for('update');
  return row?.balances ?? balances;
}
