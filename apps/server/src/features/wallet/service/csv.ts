import type { Context } from '../../../platform/context.ts';
import { csvLine } from '../../../platform/csv.ts';
import { listEntries, type WalletFilter } from './entries.ts';

const size = 1_000;

/** All entries, newest first. */
export async function* walletCsv(ctx: Context, userId: string, filter: WalletFilter): AsyncGenerator<string> {
  yield 'date,kind,amount,balance,note\r\n';
  for (let before: number | undefined; ; ) {
    const { entries, next } = await listEntries(ctx, userId, { ...filter, before, size });
    yield entries.map(({ date, kind, amount, balance, note }) => csvLine([date, kind, amount, balance, note])).join('');
    if (next === null) return;
    before = next;
  }
}
