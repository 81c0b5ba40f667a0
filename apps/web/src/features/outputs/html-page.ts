import type { Look } from './frame-scripts/given.ts';

/** What code shows as HTML, as a whole page for the sandboxed frame. */
export function htmlPage(html: string, { text, surface, border, isDark }: Look): string {
  const style = `:root{color-scheme:${isDark ? 'dark' : 'light'};overflow-x:auto}
    body{margin:0;padding:4px 12px;font:13px/1.5 system-ui,sans-serif;color:${text};background:${surface}}
    table{border-collapse:collapse;font-size:12px}th,td{padding:3px 10px;border:1px solid ${border};text-align:right}
    img,svg,video{max-width:100%}`;
  return `<!doctype html><meta charset="utf-8"><style>${style}</style>${html}`;
}
