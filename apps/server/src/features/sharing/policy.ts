import { allow, allowOnRow, owns, type Policy, registered } from '../../platform/policy/policy.ts';

/** Its other rules are those of projects. */
export const sharingPolicy: Policy = {
  // Whoever has the link may ask; what it leads to is not told.
  'access_request.create': allow(registered),
  'access_request.view': allowOnRow<{ userId: string; canShare: boolean }>(
    registered,
    (actor, row) => owns(actor, row) || row.canShare,
  ),
  'access_request.cancel': allowOnRow<{ userId: string }>(registered, owns),
};
