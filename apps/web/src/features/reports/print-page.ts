import { getRootPath } from '../../platform/http.ts';

export const printPageUrl = (id: string): string => `${location.origin}${getRootPath()}/print/${id}`;

/** Prints from this browser: the page is drawn in a frame that is not seen, and the dialog opens when all of it is there. */
export function printHere(id: string): Promise<void> {
  const frame = document.createElement('iframe');
  frame.title = 'Page to print';
  frame.style.cssText =
    'position:fixed;inset:0;width:900px;height:1200px;border:0;opacity:0;pointer-events:none;z-index:-1';
  frame.src = printPageUrl(id);
  return new Promise<void>((resolve, reject) => {
    frame.addEventListener('load', () => {
      const page = frame.contentDocument?.documentElement;
      if (!page?.dataset.print) return reject(new Error('The page to print could not be opened.'));
      const print = () => {
        if (page.dataset.print !== 'ready') return;
        watch.disconnect();
        // Safari and Chromium go on when the dialog is closed.
        frame.contentWindow?.addEventListener('afterprint', () => setTimeout(() => frame.remove()));
        frame.contentWindow?.print();
        resolve();
      };
      const watch = new MutationObserver(print);
      watch.observe(page, { attributeFilter: ['data-print'] });
      print();
    });
    document.body.append(frame);
  }).catch((error: unknown) => {
    frame.remove();
    throw error;
  });
}
