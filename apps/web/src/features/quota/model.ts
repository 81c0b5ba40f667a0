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
  if (isUsed && extension_balance > 0) return 'This month’s time is used up; your extension is used now.';
  if (isUsed && renewal)
    return `This month’s time is used up. New time comes on ${renewal}; a larger plan has more at once.`;
  if (isUsed)
    return 'Your time as a guest is used up. With an account you have time every month, and what you made comes with you.';
  if (own + extension_balance === 0)
    return 'Runs in progress hold all that is left. Stop one, or wait until it ends, to start another.';
  if (execution_used / total < lowFrom) return null;
  return renewal
    ? `${timeInWords(own)} left until ${renewal}.`
    : `${timeInWords(own)} left. With an account you have time every month.`;
}
