import { type DemoAccount, type DemoOrder, type DemoStore, startingBalances } from '@atoll/trading';
import { eq } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { type DemoAccountRow, demoAccounts } from '../table.ts';
import { begin, lockDemoAccount, selectDemoOrders, storeDemo } from './statements.ts';

type Stored = [DemoAccountRow[], DemoOrder[]];
/** As JSON; the balances are null where they are as they were. */
interface DemoChange {
  balances: string | null;
  demoOrders: string;
}

/** Its account, locked, with the open orders and the one that is named; asked for at once. */
async function readDemo(tx: Transaction, connectionId: string, clientId: string | null): Promise<Stored> {
  const [account, rows] = await Promise.all([
    lockDemoAccount(tx, { connectionId }),
    selectDemoOrders(tx, { connectionId, clientId }),
  ]);
  return [account, rows.map(({ order }) => order)];
}
const saveDemo = (write: Write, connectionId: string, change: DemoChange): void =>
  begin(write, storeDemo({ connectionId, ...change }));

export const noDemoChange: DemoChange = { balances: null, demoOrders: '[]' };

/** The accounts of the demo, in the database: one transaction for each change, or part of the one that is under way. */
export const demoStore = (ctx: Context, read = readDemo, save = saveDemo): DemoStore => ({
  change: (connectionId, clientId, work) =>
    ctx.write(async (write) => {
      const { tx } = write;
      const [[row], orders] = await read(tx, connectionId, clientId);
      const balances = row?.balances ?? (await openAccount(tx, connectionId));
      const account: DemoAccount = {
        balances: new Map(Object.entries(balances)),
        orders: new Map(orders.map((order) => [order.clientId, order])),
      };
      const [before, owned] = [
        new Map(orders.map((order) => [order.clientId, JSON.stringify(order)])),
        JSON.stringify(balances),
      ];
      const result = work(account);
      const after = JSON.stringify(Object.fromEntries(account.balances));
      const changed: string[] = [];
      for (const order of account.orders.values()) {
        const text = JSON.stringify(order);
        if (before.get(order.clientId) !== text) changed.push(text);
      }
      if (after !== owned || changed.length > 0) {
        save(write, connectionId, { balances: after === owned ? null : after, demoOrders: `[${changed.join(',')}]` });
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
