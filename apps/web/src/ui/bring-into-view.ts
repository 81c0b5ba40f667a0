/**
 * On a phone tabs scroll sideways; the open one must not hide beyond the edge, also when counts or the typeface arrive later
 * and make the tabs wider. Only the bar is scrolled, never the page.
 */
export function bringIntoView(link: HTMLElement | null): (() => void) | undefined {
  const bar = link?.parentElement;
  if (!link || !bar) return undefined;
  const middleOf = ({ left, width }: DOMRect) => left + width / 2;
  const observer = new ResizeObserver(() => {
    bar.scrollLeft += middleOf(link.getBoundingClientRect()) - middleOf(bar.getBoundingClientRect());
  });
  for (const tab of bar.children) observer.observe(tab);
  return () => observer.disconnect();
}
