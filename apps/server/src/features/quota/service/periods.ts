/** All a guest has is one period, for ever. */
export const guestPeriod = 'guest';
/** What was bought in addition, for ever too. */
export const extensionPeriod = 'extension';

/** Calendar months, by the clock that is the same for all. */
export const monthOf = (now: Date): string => now.toISOString().slice(0, 7);

export const nextMonth = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1));
