import { mathRules } from '@atoll/notebook/math';
import DOMPurify from 'dompurify';
import MarkdownIt from 'markdown-it';
import { keepHarmlessStyle } from './harmless-style.ts';
import { decoded } from './project-path.ts';
import { secureLink } from './secure-link.ts';
import type { TextPlace } from './text-place.tsx';

const markdown = new MarkdownIt({ html: true, linkify: true, typographer: false }).use(mathRules);

/** The page has a heading already, so the headings of a cell go one level down. */
markdown.core.ruler.push('lower_headings', (state) => {
  for (const token of state.tokens) {
    if (token.type === 'heading_open' || token.type === 'heading_close') {
      const level = Number(token.tag.slice(1));
      token.tag = `h${Math.min(6, level + 1)}`;
      token.attrSet('data-level', String(level));
    }
  }
});

const fence = markdown.renderer.rules.fence;
markdown.renderer.rules.fence = (tokens, index, options, env, self) => {
  const token = tokens[index];
  if (token?.info.trim() === 'mermaid') {
    return `<div data-mermaid>${markdown.utils.escapeHtml(token.content)}</div>`;
  }
  return fence?.(tokens, index, options, env, self) ?? '';
};

export type Attachments = Record<string, unknown> | null;

const pictures = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml'];

/** Returns a picture that is stored in the notebook's own file. */
function attached(name: string, attachments: Attachments): string | null {
  const bundle = attachments?.[decoded(name)];
  if (typeof bundle !== 'object' || bundle === null) return null;
  const entries = Object.entries(bundle as Record<string, unknown>);
  const found = entries.find(([type, data]) => pictures.includes(type) && typeof data === 'string');
  return found ? `data:${found[0]};base64,${String(found[1]).replace(/\s/g, '')}` : null;
}

/** Context of the text that is being sanitised; sanitising is synchronous. */
let within: { attachments: Attachments; place: TextPlace | null } = { attachments: null, place: null };

const purify = DOMPurify();
purify.addHook('beforeSanitizeAttributes', (node) => {
  if (node.tagName === 'IMG') showPicture(node);
  if (node.tagName === 'A') leadToFile(node);
});
purify.addHook('afterSanitizeAttributes', (node) => {
  keepHarmlessStyle(node);
  secureLink(node);
});

/** Shows pictures of the notebook or of the project. Other pictures are not loaded: their name stands in their place. */
function showPicture(node: Element): void {
  const address = node.getAttribute('src') ?? '';
  if (/^data:image\//i.test(address)) return;
  const own = /^attachment:(.*)$/s.exec(address)?.[1];
  const shown = own === undefined ? within.place?.find(address)?.url : attached(own, within.attachments);
  node.removeAttribute('srcset');
  if (shown) {
    node.setAttribute('src', shown);
    return;
  }
  node.removeAttribute('src');
  node.setAttribute('data-missing', '');
  node.setAttribute('title', decoded(address));
  if (!node.getAttribute('alt')) node.setAttribute('alt', decoded(address).split('/').at(-1) ?? '');
}

function leadToFile(node: Element): void {
  const file = within.place?.find(node.getAttribute('href') ?? '');
  node.removeAttribute('data-file');
  if (!file) return;
  node.setAttribute('href', file.page);
  node.setAttribute('data-file', file.id);
}

/** Renders HTML that may stand in the page: everything that could run or reach beyond the cell is removed. */
export function renderText(text: string, attachments: Attachments = null, place: TextPlace | null = null): string {
  within = { attachments, place };
  // The browser loads nothing inside of a template.
  const box = document.createElement('template');
  box.content.append(purify.sanitize(markdown.render(text), { ...rules, RETURN_DOM_FRAGMENT: true }));
  for (const picture of box.content.querySelectorAll('img[data-missing]')) {
    const name = document.createElement('span');
    for (const { name: key, value } of picture.attributes) if (key !== 'alt') name.setAttribute(key, value);
    name.textContent = picture.getAttribute('alt');
    picture.replaceWith(name);
  }
  return box.innerHTML;
}

const rules = {
  USE_PROFILES: { html: true },
  FORBID_TAGS: ['style', 'form', 'input', 'button', 'select', 'textarea', 'dialog', 'source'],
  FORBID_ATTR: ['id', 'name', 'class'],
  ADD_ATTR: ['target'],
};
