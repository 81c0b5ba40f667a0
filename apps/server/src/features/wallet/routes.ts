import { nobody } from '../../platform/actor.ts';
import { done, endpoints } from '../../platform/http/implement.ts';
import { requireSelf } from '../users/service.ts';
import { creditUnits, decideCredit, waitingCredits } from './service/credits.ts';
import { balanceOf, listEntries } from './service/entries.ts';
import { transferStatus, transferUnits } from './service/transfer.ts';
import { createVoucher, listVouchers, redeemVoucher } from './service/vouchers.ts';

const { wallet } = endpoints;

export const walletRoutes = {
  balance: wallet.balance.handler(async ({ context }) => ({
    balance: await balanceOf(context, context.actor.userId ?? nobody),
  })),
  get: wallet.get.handler(async ({ context, input: { page_size, ...filter } }) => {
    const { id, balance, reservedUnits, unboundedBalance } = await requireSelf(context);
    return {
      balance,
      reserved: reservedUnits,
      unbounded_balance: unboundedBalance,
      ...(await listEntries(context, id, { ...filter, size: page_size })),
    };
  }),
  transfer: wallet.transfer.handler(({ context, input }) => transferUnits(context, input)),
  unboundedConfig: wallet.unboundedConfig.handler(({ context }) => ({ enabled: context.config.hasUnbounded })),
  transferStatus: wallet.transferStatus.handler(({ context, input }) => transferStatus(context, input.id)),
  redeem: wallet.redeem.handler(({ context, input }) => redeemVoucher(context, input.code)),
  vouchers: wallet.vouchers.handler(({ context, input }) => listVouchers(context, input)),
  createVoucher: wallet.createVoucher.handler(({ context, input }) => createVoucher(context, input)),
  entriesOf: wallet.entriesOf.handler(async ({ context, input: { id, before, page_size } }) => ({
    balance: await balanceOf(context, id),
    ...(await listEntries(context, id, { before, size: page_size })),
  })),
  credit: wallet.credit.handler(({ context, input }) => creditUnits(context, input)),
  creditRequests: wallet.creditRequests.handler(({ context }) => waitingCredits(context)),
  approveCredit: wallet.approveCredit.handler(({ context, input }) => done(decideCredit(context, input.id, true))),
  rejectCredit: wallet.rejectCredit.handler(({ context, input }) => done(decideCredit(context, input.id, false))),
};
