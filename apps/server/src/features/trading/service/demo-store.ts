import { type DemoAccount, type DemoStore, startingBalances } from '@atoll/trading';
import { and, eq, or } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { demoAccounts, demoOrders } from '../table.ts';

/** The accounts of the demo, in the database: one transaction for each change, or part of the one that is under way. */
export const demoStore = (ctx: Context): DemoStore => ({
  change: (connectionId, clientId, work) =>
    ctx.write(async ({ tx }) => {
      const ofAccount = eq(demoAccounts.connectionId, connectionId);
      const [row] = await tx.select().from(demoAccounts).where(ofAccount).for('update');
      const balances = row?.balances ?? (await openAccount(tx, connectionId));
      const own = eq(demoOrders.connectionId, connectionId);
      const isNeeded = clientId ? or(demoOrders.isOpen, eq(demoOrders.clientId, clientId)) : demoOrders.isOpen;
      const orders = await tx.select({ order: demoOrders.order }).from(demoOrders).where(and(own, isNeeded));
      const account: DemoAccount = {
        balances: new Map(Object.entries(balances)),
        orders: new Map(orders.map(({ order }) => [order.clientId, order])),
      };
      const before = new Map(orders.map(({ order }) => [order.clientId, JSON.stringify(order)]));
      const result = work(account);
      const after = Object.fromEntries(account.balances);
      if (JSON.stringify(after) !== JSON.stringify(balances)) {
        await tx.update(demoAccounts).set({ balances: after }).where(ofAccount);
      }
      for (const order of account.orders.values()) {
        if (before.get(order.clientId) === JSON.stringify(order)) continue;
        const values = { connectionId, clientId: order.clientId, isOpen: order.state === 'open', order };
        await tx
          .insert(demoOrders)
          .values(values)
          .onConflictDoUpdate({ target: [demoOrders.connectionId, demoOrders.clientId], set: values });
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
