import type { Joined } from '@atoll/contract';

export type Missed = Joined['missed'];

/** The position up to which a topic was followed: no event counts twice, and after a break the rest is requested. */
export function createPositions(first?: number) {
  let last = first;
  const take = (position: number): boolean => {
    if (last !== undefined && position <= last) return false;
    last = position;
    return true;
  };
  return {
    take,
    isUnknown: () => last === undefined,
    /** The parameters of the next join. */
    params: (): { last_seen?: number } => (last === undefined ? {} : { last_seen: last }),
    /** Takes the answer to a join; `isGap` where changes may have been missed that no event will report. */
    joined({ position, missed, is_reset }: Joined): { missed: Missed; isGap: boolean } {
      const isGap = is_reset || last === undefined;
      if (isGap) {
        last = position;
        return { missed: [], isGap };
      }
      const fresh = missed.filter((event) => take(event.position));
      take(position);
      return { missed: fresh, isGap };
    },
  };
}
