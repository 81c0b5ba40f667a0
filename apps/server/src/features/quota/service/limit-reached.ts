import { type Quota, timeInWords } from '@atoll/contract';
import { AppError } from '../../../platform/errors.ts';

const date = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', timeZone: 'UTC' });

/** Says what is used, what runs in progress hold, when there is more, and what to do until then. */
export function limitReached(quota: Quota): AppError {
  const { execution_used, execution_reserved, subscription_total, renews_at, extension_balance } = quota;
  const isGuest = renews_at === null;
  const total = timeInWords(subscription_total ?? 0);
  const sentences = [
    `Not enough execution time left: ${timeInWords(execution_used)} of ${total} ${isGuest ? 'are' : 'of this month are'} used`,
    ...(execution_reserved > 0 ? [`, and running code has reserved ${timeInWords(execution_reserved)}`] : []),
    '. ',
    ...(execution_reserved > 0 ? ['Stop a run or wait until it ends. '] : []),
    isGuest
      ? 'Create an account to get execution time every month and keep your projects.'
      : `Upgrade, buy execution time or wait until ${date.format(new Date(renews_at))}.`,
  ];
  return new AppError('forbidden', sentences.join(''), {
    details: {
      reason: 'usage_limit_reached',
      limit: subscription_total,
      used: execution_used,
      reserved: execution_reserved,
      extension: extension_balance,
      renews_at,
    },
  });
}
