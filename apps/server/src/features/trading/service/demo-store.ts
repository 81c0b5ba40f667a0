import { type DemoAccount, type DemoOrder, type DemoStore, startingBalances } from '@atoll/trading';
import { eq } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { type DemoAccountRow, demoAccounts } from '../table.ts';
import { begin, lockDemoAccounts, selectDemoOrders, storeDemo } from './statements.ts';

export type DemoBalances = DemoAccountRow['balances'];
interface Stored {
  balances: DemoBalances;
  orders: DemoOrder[];
}
/** The balances are null where they are as they were. */
interface Change {
  balances: DemoBalances | null;
  orders: DemoOrder[];
}

/** Its account, locked, with the open orders and the one that is named; asked for at once. */
async function readDemo(tx: Transaction, connectionId: string, clientId: string | null): Promise<Stored> {
  const [[account], rows] = await Promise.all([
    lockDemoAccounts(tx, { connectionIds: [connectionId] }),
    selectDemoOrders(tx, { connectionId, clientId }),
  ]);
  return {
    balances: account?.balances ?? (await openAccount(tx, connectionId)),
    orders: rows.map(({ order }) => order),
  };
}
function saveDemo(write: Write, connectionId: string, { balances, orders }: Change): void {
  const changes = {
    balances: balances ? [{ connectionId, balances }] : [],
    demoOrders: orders.map((order) => ({ connectionId, order })),
  };
  begin(write, storeDemo(changes));
}

/** The accounts of the demo, in the database: one transaction for each change, or part of the one that is under way. */
export const demoStore = (ctx: Context, read = readDemo, save = saveDemo): DemoStore => ({
  change: (connectionId, clientId, work) =>
    ctx.write(async (write) => {
      const { balances, orders } = await read(write.tx, connectionId, clientId);
      const account: DemoAccount = {
        balances: new Map(Object.entries(balances)),
        orders: new Map(orders.map((order) => [order.clientId, order])),
      };
      const [before, owned] = [
        new Map(orders.map((order) => [order.clientId, JSON.stringify(order)])),
        JSON.stringify(balances),
      ];
      const result = work(account);
      const after = Object.fromEntries(account.balances);
      const isSame = JSON.stringify(after) === owned;
      const changed = [...account.orders.values()].filter(
        (order) => before.get(order.clientId) !== JSON.stringify(order),
      );
      if (!isSame || changed.length > 0)
        save(write, connectionId, { balances: isSame ? null : after, orders: changed });
      return result;
    }),
});

/** Of two who open it at once, one waits for the other. */
export async function openAccount(tx: Transaction, connectionId: string) {
  const balances = Object.fromEntries(startingBalances());
  await tx.insert(demoAccounts).values({ connectionId, balances }).onConflictDoNothing();
  const [row] = await tx.select().from(demoAccounts).where(eq(demoAccounts.connectionId, connectionId)).for('update');
  return row?.balances ?? balances;
}
