/** Custom properties of each theme. */
export const articleColours = {
  light:
    '--article-ink:#1f2328;--article-muted:#656d76;--article-line:#e4e6ea;--article-soft:#f6f7f9;--article-page:#fff;--article-link:#0b62d6;--article-bad:#fdf0ef;--article-bad-ink:#8f1d14;--tok-keyword:#8250df;--tok-string:#0a6640;--tok-number:#0550ae;--tok-comment:#59636e;--tok-name:#953800',
  dark: '--article-ink:#e6e8eb;--article-muted:#9aa3ad;--article-line:#2f343b;--article-soft:#1d2126;--article-page:#14171a;--article-link:#6cb0ff;--article-bad:#3a1a18;--article-bad-ink:#ffb4ab;--tok-keyword:#d2a8ff;--tok-string:#7ee2a8;--tok-number:#79c0ff;--tok-comment:#8b949e;--tok-name:#ffa657',
};

/** The style of an article, in the server's page and in the web app's, which replace each other without a jump. */
export const articleStyle = `
:root{${articleColours.light}}
@media(prefers-color-scheme:dark){:root:not([data-mantine-color-scheme=light]){${articleColours.dark}}}
:root[data-mantine-color-scheme=dark]{${articleColours.dark}}
body{margin:0}
#page{background:var(--article-page);min-height:100vh;margin:0;padding:3rem 1.25rem 5rem}
.article{max-width:46rem;margin:0 auto;color:var(--article-ink);font:1.0625rem/1.65 'Inter Variable',Inter,system-ui,sans-serif;overflow-wrap:anywhere}
.article h1{font-size:clamp(1.75rem,5vw,2.5rem);line-height:1.15;letter-spacing:-.02em;margin:0 0 .75rem}
.article-body>:first-child>:first-child{margin-top:0!important}.article h2{font-size:1.55rem;margin:2.5rem 0 .75rem;line-height:1.25}.article h3{font-size:1.25rem;margin:2rem 0 .5rem}.article h4,.article h5,.article h6{font-size:1.0625rem;margin:1.5rem 0 .5rem}
.article .lead{font-size:1.2rem;color:var(--article-muted);margin:0 0 1rem}.article .byline{color:var(--article-muted);font-size:.9rem;margin:0 0 2rem}
.article a{color:var(--article-link)}.article img,.article video{max-width:100%;height:auto}.article audio{width:100%}.article .cover{width:100%;aspect-ratio:1200/630;object-fit:cover;border-radius:12px;margin-bottom:1.5rem}
.article pre{font:.8125rem/1.55 'JetBrains Mono Variable',ui-monospace,monospace;overflow:auto;margin:.5rem 0;padding:.75rem 1rem;white-space:pre}
.article pre.code{background:var(--article-soft);border-radius:8px}.article pre.error{background:var(--article-bad);color:var(--article-bad-ink);border-radius:8px}
.article :not(pre)>code{font-family:'JetBrains Mono Variable',ui-monospace,monospace;font-size:.88em;background:var(--article-soft);border-radius:4px;padding:.1em .3em}
.article blockquote{margin:1rem 0;padding-left:1rem;border-left:3px solid var(--article-line);color:var(--article-muted)}
.article .table,.article .output{overflow-x:auto}.article table{border-collapse:collapse;font-size:.875rem;margin:.75rem 0;overflow-wrap:break-word}.article .markdown>table{display:block;overflow-x:auto}.article th,.article td{border-bottom:1px solid var(--article-line);padding:.35rem .75rem;text-align:left}
.article .contents{border:1px solid var(--article-line);border-radius:12px;padding:.75rem 1.25rem;margin:0 0 2rem;font-size:.925rem}.article .contents ol{list-style:none;margin:0;padding:0}.article .contents [data-level="2"]{padding-left:1rem}.article .contents [data-level="3"],.article .contents [data-level="4"]{padding-left:2rem}.article .contents a{color:inherit;text-decoration:none}
.article .note{color:var(--article-muted);font-size:.9rem}.article .formula{overflow-x:auto;text-align:center;margin:.625rem 0;padding:.375rem 0}.article code.tex{border-bottom:1px dashed var(--article-muted)}.article .formula .note{margin:.25rem 0 0}
.tok-keyword{color:var(--tok-keyword)}.tok-string,.tok-string2{color:var(--tok-string)}.tok-number,.tok-bool,.tok-atom{color:var(--tok-number)}.tok-comment{color:var(--tok-comment);font-style:italic}.tok-definition,.tok-className{color:var(--tok-name)}
.article:has(.board){max-width:80rem}.board .row{display:grid;grid-template-columns:repeat(12,minmax(0,1fr));gap:1rem;margin-bottom:1rem;align-items:start}.board .row>*{grid-column:span 12;min-width:0}@media(min-width:48rem),print{${Array.from({ length: 12 }, (_, at) => `.board .row>.w${at + 1}{grid-column:span ${at + 1}}`).join('')}}.board .tiles{display:grid;gap:1rem;grid-template-columns:minmax(0,1fr)}@media(min-width:48rem),print{.board .tiles{grid-template-columns:repeat(12,minmax(0,1fr));grid-auto-rows:minmax(2.75rem,auto)}.board .tile{grid-column:var(--c)/span var(--w);grid-row:var(--r)/span var(--h)}}.board .tile{min-width:0}.board .tile>.cell{height:100%;box-sizing:border-box;overflow:auto}.board .cell{border:1px solid var(--article-line);border-radius:10px;padding:.75rem 1rem;overflow:hidden}.board .cell>:first-child{margin-top:0}.board .item{white-space:pre-wrap;border-radius:8px;padding:.75rem 1rem;background:var(--article-soft)}.board .item.text{background:none;padding:0}.board .item.text.size-xl{font-size:2rem;font-weight:700;line-height:1.15}.board .item.text.size-l{font-size:1.4rem;font-weight:600}.board .item.shape{text-align:center}
@media print{html,body{background:#fff!important}#page{padding:0}.article{--article-ink:#1f2328;--article-muted:#565d66;--article-line:#d0d4da;--article-soft:#f6f7f9;--article-link:#0b4fae;--article-bad:#fff;--article-bad-ink:#8f1d14;--tok-keyword:#8250df;--tok-string:#0a6640;--tok-number:#0550ae;--tok-comment:#565d66;--tok-name:#953800;max-width:none;font-size:11pt}.article pre{white-space:pre-wrap}.article table{overflow-wrap:anywhere}.article .contents{display:none}.article h2,.article h3{break-after:avoid}.article img,.article pre,.article tr{break-inside:avoid}}
`.replace(/\n/g, '');
