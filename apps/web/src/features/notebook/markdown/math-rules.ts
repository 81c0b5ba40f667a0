import type { MarkdownIt } from 'markdown-it';

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const inline = (tex: string) => `<span data-tex="${escaped(tex)}">${escaped(tex)}</span>`;
const block = (tex: string) => `<div data-tex="${escaped(tex)}" data-block="">${escaped(tex)}</div>`;

/** `$a$`, `$$a$$`, `\(a\)`, `\[a\]` and LaTeX environments, as Jupyter has them. They are drawn later. */
export function mathRules(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('escape', 'math', (state, isSilent) => {
    const rest = state.src.slice(state.pos);
    const found =
      /^\$\$([\s\S]+?)\$\$/.exec(rest) ??
      /^\\\\?\[([\s\S]+?)\\\\?\]/.exec(rest) ??
      /^\\\\?\(([\s\S]+?)\\\\?\)/.exec(rest) ??
      // A price is not a formula: no space inside the signs, no digit after them.
      /^\$(?!\s)((?:[^$\\]|\\[\s\S])+?)(?<!\s)\$(?!\d)/.exec(rest);
    if (!found) return false;
    const isBlock = /^(\$\$|\\\\?\[)/.test(found[0]);
    if (!isSilent) {
      const token = state.push('html_inline', '', 0);
      const tex = (found[1] ?? '').trim();
      token.content = isBlock ? `<span data-tex="${escaped(tex)}" data-block="">${escaped(tex)}</span>` : inline(tex);
    }
    state.pos += found[0].length;
    return true;
  });
  markdown.block.ruler.before(
    'paragraph',
    'math_block',
    (state, startLine, endLine, isSilent) => {
      const begin = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
      const first = state.src.slice(begin, state.eMarks[startLine]);
      const environment = /^\\begin\{([a-z]+\*?)\}/.exec(first)?.[1];
      const isSigns = first.startsWith('$$');
      if (!environment && !isSigns) return false;
      const end = environment ? `\\end{${environment}}` : '$$';
      const rest = state.src.slice(begin, state.eMarks[endLine - 1]);
      const at = rest.indexOf(end, isSigns ? 2 : 0);
      if (at < 0) return false;
      const whole = rest.slice(0, at + end.length);
      // Something stands behind it on the same line: then it is part of a sentence.
      const after = rest.slice(at + end.length).split('\n')[0] ?? '';
      if (after.trim() !== '') return false;
      if (isSilent) return true;
      const token = state.push('html_block', '', 0);
      token.content = block((environment ? whole : whole.slice(2, -2)).trim());
      state.line = startLine + whole.split('\n').length;
      return true;
    },
    { alt: ['paragraph', 'reference', 'blockquote', 'list'] },
  );
}
