/** Of a tall cell so much is enough to see that it is the active one. */
const leastSeen = 96;

/** What to scroll by so that the active cell is seen; what the cell before it shows is not pushed out at the top. */
export function followStep(
  view: { top: number; bottom: number },
  ran: { top: number },
  active: { top: number; bottom: number },
): number {
  const missing = Math.min(active.bottom, active.top + leastSeen) - view.bottom;
  return Math.max(0, Math.min(missing, ran.top - view.top));
}
