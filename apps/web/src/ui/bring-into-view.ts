/** On a phone tabs scroll sideways; the open one must not hide beyond the edge. */
export function bringIntoView(link: HTMLElement | null): void {
  const bring = () => link?.scrollIntoView({ inline: 'center', block: 'nearest' });
  bring();
  // The letters of the typeface that comes later are wider.
  if (link && document.fonts.status === 'loading') void document.fonts.ready.then(bring);
}
