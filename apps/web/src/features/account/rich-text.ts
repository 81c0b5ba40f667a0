/** A document of the rich editor, as far as it is written down: Markdown says the same on every page, and holds no HTML. */
export interface RichNode {
  type?: string;
  text?: string;
  attrs?: Record<string, unknown>;
  marks?: { type: string; attrs?: Record<string, unknown> }[];
  content?: RichNode[];
}

export const toMarkdown = (document: RichNode): string => blocks(document.content).trim();

const blocks = (nodes: RichNode[] = []): string => nodes.map(block).filter(Boolean).join('\n\n');

function block(node: RichNode): string {
  switch (node.type) {
    case 'heading':
      return `${'#'.repeat(Number(node.attrs?.level ?? 2))} ${inline(node.content)}`;
    case 'bulletList':
      return items(node.content, () => '- ');
    case 'orderedList':
      return items(node.content, (index) => `${Number(node.attrs?.start ?? 1) + index}. `);
    case 'blockquote':
      return indented(blocks(node.content), '> ', '> ');
    case 'codeBlock':
      return fenced(node);
    case 'horizontalRule':
      return '---';
    default:
      return inline(node.content);
  }
}

function fenced(node: RichNode): string {
  const code = (node.content ?? []).map(({ text = '' }) => text).join('');
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${String(node.attrs?.language ?? '')}\n${code}\n${fence}`;
}

const items = (nodes: RichNode[] = [], markOf: (index: number) => string): string =>
  nodes
    .map((item, index) => {
      const mark = markOf(index);
      return indented(blocks(item.content).replaceAll('\n\n', '\n'), mark, ' '.repeat(mark.length));
    })
    .join('\n');

const indented = (text: string, first: string, rest: string): string =>
  text
    .split('\n')
    .map((line, index) => ((index === 0 ? first : rest) + line).trimEnd())
    .join('\n');

const inline = (nodes: RichNode[] = []): string =>
  nodes
    .map(word)
    .join('')
    .replace(/^(\d+)([.)] )/, '$1\\$2');

/** Outermost first, so that a link holds what is bold in it. */
const marksInOrder = ['link', 'bold', 'italic', 'strike', 'code'];
const wraps: Record<string, string> = { bold: '**', italic: '*', strike: '~~' };

function word({ type, text = '', marks = [] }: RichNode): string {
  if (type === 'hardBreak') return '\\\n';
  const has = (name: string) => marks.find((mark) => mark.type === name);
  // Marks hold to words: a space inside them would make them plain characters.
  const [, before = '', core = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? [];
  if (!core) return text;
  const plain = has('code') ? coded(core) : escaped(core);
  const marked = marksInOrder.toReversed().reduce((inner, name) => {
    const mark = has(name);
    if (!mark) return inner;
    if (name === 'link')
      return `[${inner}](<${String(mark.attrs?.href ?? '').replace(/[<>\s]/g, encodeURIComponent)}>)`;
    const wrap = wraps[name];
    return wrap ? `${wrap}${inner}${wrap}` : inner;
  }, plain);
  return before + marked + after;
}

const coded = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);
const escaped = (text: string): string => text.replace(/[\\`*_[\]<>~|]/g, '\\$&').replace(/^([#+-])(?=\s)/gm, '\\$1');
