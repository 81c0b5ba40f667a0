import { nobody } from '../../platform/actor.ts';
import { endpoints } from '../../platform/http/implement.ts';
import { balanceOf, listEntries } from './service/entries.ts';

const { wallet } = endpoints;

export const walletRoutes = {
  balance: wallet.balance.handler(async ({ context }) => ({
    balance: await balanceOf(context, context.actor.userId ?? nobody),
  })),
  get: wallet.get.handler(async ({ context, input: { page_size, ...filter } }) => {
    const userId = context.actor.userId ?? nobody;
    return {
      balance: await balanceOf(context, userId),
      unbounded_balance: 0,
      ...(await listEntries(context, userId, { ...filter, size: page_size })),
    };
  }),
};
