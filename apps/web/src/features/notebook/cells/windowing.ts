/** A cell with a box of its own, or many cells far from the viewport in one box. */
export type Segment = { id: string; index: number } | { ids: string[]; key: string };

const chunk = 50;
/** Fewer cells than this get boxes of their own. */
const fewest = 3;

/** Lays out the cells: known cells one by one, the rest in boxes of many. */
export function segmentsOf(ids: string[], isKnown: (id: string) => boolean): Segment[] {
  const segments: Segment[] = [];
  for (let at = 0; at < ids.length; ) {
    let end = at;
    while (end < ids.length && end - at < chunk && !isKnown(ids[end] as string)) end++;
    if (end - at >= fewest) {
      segments.push({ ids: ids.slice(at, end), key: ids[at] as string });
      at = end;
    } else {
      const last = Math.max(end, at + 1);
      for (; at < last; at++) segments.push({ id: ids[at] as string, index: at });
    }
  }
  return segments;
}
