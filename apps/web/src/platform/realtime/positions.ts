import type { Joined } from '@atoll/contract';

export type Missed = Joined['missed'];

/** How far a topic has been followed: no event counts twice, and after a break the rest is asked for. */
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
    /** What the next join says. */
    params: (): { last_seen?: number } => (last === undefined ? {} : { last_seen: last }),
    /** What a join brought; `isGap` where something may have happened that nobody will tell. */
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
