import DOMPurify from 'dompurify';

/** What code writes into the page: looks stay, what could run or ask for something goes. */
export const clean = (html: string): string =>
  DOMPurify.sanitize(html, {
    USE_PROFILES: { html: true, svg: true },
    FORBID_TAGS: ['style', 'form', 'input', 'button', 'select', 'textarea', 'dialog'],
    FORBID_ATTR: ['id', 'name', 'class'],
  });
