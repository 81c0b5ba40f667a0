import { Readable } from 'node:stream';
import type { Context } from '../../../platform/context.ts';
import { listEntries, type WalletFilter } from './entries.ts';

const size = 1_000;

/** A spreadsheet would take what begins so for a formula. */
const field = (value: string) => {
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};

/** All entries, newest first, read as they are sent. */
export const walletCsv = (ctx: Context, userId: string, filter: WalletFilter): Readable =>
  Readable.from(
    (async function* () {
      yield 'date,kind,amount,balance,note\r\n';
      for (let before: number | undefined; ; ) {
        const { entries, next } = await listEntries(ctx, userId, { ...filter, before, size });
        yield entries
          .map(({ date, kind, amount, balance, note }) => `${date},${kind},${amount},${balance},${field(note)}\r\n`)
          .join('');
        if (next === null) return;
        before = next;
      }
    })(),
  );
