/** The page that the server has drawn, which can be read before, and without, the app. */
const staticPage = (): HTMLElement | null => document.getElementById('page');

export const hasStaticPage = (): boolean => staticPage() !== null;

/** Replaces the server's page with the app's own, and keeps the scroll position. */
export function removeStaticPage(): void {
  const page = staticPage();
  if (!page) return;
  const read = window.scrollY > 0 ? firstOnScreen(page) : undefined;
  const top = read?.getBoundingClientRect().top ?? 0;
  page.remove();
  const same = read && document.querySelector<HTMLElement>(`[data-cell="${CSS.escape(read.dataset.cell ?? '')}"]`);
  if (same) scrollerOf(same)?.scrollBy({ top: same.getBoundingClientRect().top - top, behavior: 'instant' });
}

const firstOnScreen = (page: HTMLElement): HTMLElement | undefined =>
  [...page.querySelectorAll<HTMLElement>('[data-cell]')].find((cell) => cell.getBoundingClientRect().bottom > 0);

/** The frame scrolls by itself; on a phone the window scrolls. */
function scrollerOf(element: HTMLElement): Element | null {
  const frame = element.closest('[data-scroll-restoration-id]');
  return frame && frame.scrollHeight > frame.clientHeight ? frame : document.scrollingElement;
}
