import DOMPurify from 'dompurify';
import { keepHarmlessStyle } from '../markdown/harmless-style.ts';
import { secureLink } from '../markdown/secure-link.ts';

const purify = DOMPurify();
purify.addHook('afterSanitizeAttributes', (node) => {
  keepHarmlessStyle(node);
  secureLink(node);
});

/** Sanitises HTML of code: text styles stay, everything that could run or load something is removed. */
export const clean = (html: string): string =>
  purify.sanitize(html, {
    USE_PROFILES: { html: true, svg: true },
    FORBID_TAGS: ['style', 'form', 'input', 'button', 'select', 'textarea', 'dialog'],
    FORBID_ATTR: ['id', 'name', 'class'],
  });
