import MarkdownIt from 'markdown-it';

const markdown = new MarkdownIt({ html: false, linkify: true, typographer: false });

/** A text is a part of a page that has a heading already, so its own headings go one level down. */
markdown.core.ruler.push('lower_headings', (state) => {
  for (const token of state.tokens) {
    if (token.type === 'heading_open' || token.type === 'heading_close') {
      token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + 1)}`;
    }
  }
});

const defaultLink = markdown.renderer.rules.link_open;
markdown.renderer.rules.link_open = (tokens, index, options, env, self) => {
  const token = tokens[index];
  if (!/^(#|\/(?!\/))/.test(String(token?.attrGet('href')))) {
    token?.attrSet('rel', 'noopener noreferrer nofollow');
    token?.attrSet('target', '_blank');
  }
  return defaultLink?.(tokens, index, options, env, self) ?? self.renderToken(tokens, index, options);
};

/** A picture from elsewhere would tell its server who reads this, and what stands in its address: it is a link. */
const defaultImage = markdown.renderer.rules.image;
markdown.renderer.rules.image = (tokens, index, options, env, self) => {
  const token = tokens[index];
  const source = String(token?.attrGet('src'));
  if (!/^([a-z][a-z0-9+.-]*:|[/\\]{2})/i.test(source) || source.startsWith('data:image/'))
    return defaultImage?.(tokens, index, options, env, self) ?? '';
  const { escapeHtml } = markdown.utils;
  return `<a href="${escapeHtml(source)}" rel="noopener noreferrer nofollow" target="_blank">${escapeHtml(token?.content || source)}</a>`;
};

export const renderMarkdown = (text: string): string => markdown.render(text);
