import { nobody } from '../../platform/actor.ts';
import { endpoints } from '../../platform/http/implement.ts';
import { balanceOf, listEntries } from './service/entries.ts';
import { moveUnits } from './service/units.ts';
import { createVoucher, listVouchers, redeemVoucher } from './service/vouchers.ts';

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
  redeem: wallet.redeem.handler(({ context, input }) => redeemVoucher(context, input.code)),
  vouchers: wallet.vouchers.handler(({ context, input }) => listVouchers(context, input)),
  createVoucher: wallet.createVoucher.handler(({ context, input }) => createVoucher(context, input)),
  entriesOf: wallet.entriesOf.handler(async ({ context, input: { id, before, page_size } }) => ({
    balance: await balanceOf(context, id),
    ...(await listEntries(context, id, { before, size: page_size })),
  })),
  credit: wallet.credit.handler(({ context, input: { id, request_id, amount, reason } }) =>
    context.write(async (write) => {
      const move = { userId: id, amount, kind: 'manual', key: `manual:${request_id}`, note: reason } as const;
      return { balance: (await moveUnits(context, write, move)).balance };
    }),
  ),
};
