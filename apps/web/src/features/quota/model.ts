import type { Quota } from '@atoll/contract/quota/entity';
import { timeInWords } from '@atoll/contract/quota/words';

export interface QuotaState {
  level: 'fine' | 'low' | 'out';
  /** How much of the ring is full, from 0 to 1; without a limit there is no ring. */
  used: number | null;
  reserved: number;
  words: string;
  /** What is the matter and what to do; null while nothing is. */
  advice: string | null;
}

const lowFrom = 0.8;
const date = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long', timeZone: 'UTC' });

export const renewalDate = (quota: Quota): string | null => quota.renews_at && date.format(new Date(quota.renews_at));

export function quotaState(quota: Quota): QuotaState {
  const { execution_used, execution_reserved, subscription_total: total } = quota;
  if (total === null) {
    return { level: 'fine', used: null, reserved: 0, words: `${timeInWords(execution_used)} used`, advice: null };
  }
  const used = Math.min(execution_used / total, 1);
  return {
    level: used < lowFrom ? 'fine' : used === 1 && quota.extension_balance === 0 ? 'out' : 'low',
    used,
    reserved: Math.min(execution_reserved / total, 1 - used),
    words: `${timeInWords(execution_used)} of ${timeInWords(total)}`,
    advice: adviceFor(quota, total),
  };
}

function adviceFor(quota: Quota, total: number): string | null {
  const { execution_used, execution_reserved, extension_balance } = quota;
  const own = Math.max(total - execution_used - execution_reserved, 0);
  const isUsed = execution_used >= total;
  const renewal = renewalDate(quota);
  if (isUsed && extension_balance > 0) return 'Monthly execution time used up. Your extension is being used.';
  if (isUsed && renewal) return `Limit reached: upgrade, buy execution time or wait until ${renewal}.`;
  if (isUsed) return 'Guest limit reached: create an account to get execution time every month and keep your projects.';
  if (own + extension_balance === 0)
    return 'All remaining execution time is reserved by running code. Stop a run or wait until it ends.';
  if (execution_used / total < lowFrom) return null;
  return renewal
    ? `${timeInWords(own)} left until ${renewal}.`
    : `${timeInWords(own)} left. Create an account to get execution time every month.`;
}
