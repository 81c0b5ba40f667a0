/** So many pixels of a tall cell are enough to see that it is the active one. */
const leastSeen = 96;

/**
 * The distance to scroll so that the active cell is seen and the outputs of the cell before it are not pushed out at the
 * top.
 */
export function followStep(
  view: { top: number; bottom: number },
  ran: { top: number },
  active: { top: number; bottom: number },
): number {
  const missing = Math.min(active.bottom, active.top + leastSeen) - view.bottom;
  return Math.max(0, Math.min(missing, ran.top - view.top));
}
