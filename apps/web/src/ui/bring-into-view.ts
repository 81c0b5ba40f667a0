/**
 * On a phone tabs scroll sideways; the open one must not hide beyond the edge, also when counts or the typeface arrive later
 * and make the tabs wider.
 */
export function bringIntoView(link: HTMLElement | null): (() => void) | undefined {
  if (!link) return undefined;
  const observer = new ResizeObserver(() => link.scrollIntoView({ inline: 'center', block: 'nearest' }));
  for (const tab of link.parentElement?.children ?? []) observer.observe(tab);
  return () => observer.disconnect();
}
