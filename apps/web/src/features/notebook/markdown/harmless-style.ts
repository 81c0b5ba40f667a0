/** Properties of text only: none of them can lay a text over the page, or load from another site. */
const allowed = new Set([
  'color',
  'background-color',
  'font-style',
  'font-weight',
  'text-align',
  'text-decoration',
  'vertical-align',
  'width',
  'max-width',
]);
const plain = /^[a-z0-9#%.\s-]{1,60}$/i;
const colour = /^(rgb|hsl)a?\([\d\s.,%/-]{1,60}\)$/i;

/** Keeps the harmless declarations of a `style` attribute; declarations in an unusual syntax are dropped. */
export const harmlessStyle = (style: string): string =>
  style
    .split(';')
    .map((declaration) => {
      const [name = '', ...value] = declaration.split(':');
      return [name.trim().toLowerCase(), value.join(':').trim()] as const;
    })
    .filter(([name, value]) => allowed.has(name) && (plain.test(value) || colour.test(value)))
    .map(([name, value]) => `${name}: ${value}`)
    .join('; ');

/** Runs after sanitising: `node` is an element that stays. */
export function keepHarmlessStyle(node: Element): void {
  const style = node.getAttribute('style');
  if (style === null) return;
  const kept = harmlessStyle(style);
  if (kept) node.setAttribute('style', kept);
  else node.removeAttribute('style');
}
