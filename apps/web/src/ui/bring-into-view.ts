/** On a phone tabs scroll sideways; the open one must not hide beyond the edge. */
export const bringIntoView = (link: HTMLElement | null): void =>
  link?.scrollIntoView({ inline: 'center', block: 'nearest' });
