import type { Context } from '../../../platform/context.ts';
import { wrongWallets } from './entries.ts';

/** Adding up all the books is for the quiet hours. */
const nightHour = 3;

export async function sweepWallets(ctx: Context): Promise<void> {
  if (ctx.now().getUTCHours() !== nightHour) return;
  for (const wrong of await wrongWallets(ctx.db)) ctx.log.error(wrong, 'A wallet is not what the books say');
}
