import DOMPurify from 'dompurify';
import MarkdownIt from 'markdown-it';
import { mathRules } from './math-rules.ts';

const markdown = new MarkdownIt({ html: true, linkify: true, typographer: false }).use(mathRules);

/** A cell is a part of a page that has a heading already, so its own go one level down. */
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

/** A name with a percent sign of its own is taken as it is. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** A picture that is in the notebook's own file. */
function attached(name: string, attachments: Attachments): string | null {
  const bundle = attachments?.[decoded(name)];
  if (typeof bundle !== 'object' || bundle === null) return null;
  const entries = Object.entries(bundle as Record<string, unknown>);
  const found = entries.find(([type, data]) => pictures.includes(type) && typeof data === 'string');
  return found ? `data:${found[0]};base64,${String(found[1]).replace(/\s/g, '')}` : null;
}

const purify = DOMPurify();
purify.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName === 'A' && /^https?:/i.test(node.getAttribute('href') ?? '')) {
    node.setAttribute('target', '_blank');
    node.setAttribute('rel', 'noopener noreferrer nofollow');
  }
});

/** HTML that may stand in the page: whatever could run or reach beyond the cell is taken out. */
export function renderText(text: string, attachments: Attachments = null): string {
  const html = markdown.render(text).replace(/(<img[^>]*?src=")attachment:([^"]*)"/g, (whole, before, name) => {
    const address = attached(name, attachments);
    return address ? `${before}${address}"` : whole;
  });
  return purify.sanitize(html, {
    USE_PROFILES: { html: true },
    FORBID_TAGS: ['style', 'form', 'input', 'button', 'select', 'textarea', 'dialog'],
    FORBID_ATTR: ['id', 'name', 'class'],
    ADD_ATTR: ['target'],
  });
}
