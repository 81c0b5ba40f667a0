/** Requests to join a team or to see a project: answered or taken back once, and then over. */
export const requestStatuses = ['pending', 'approved', 'rejected', 'canceled'] as const;
export type RequestStatus = (typeof requestStatuses)[number];

/** Only what waits can change. */
export const canBecome = (from: RequestStatus, to: RequestStatus): boolean => from === 'pending' && to !== 'pending';
