import { defaultPayload } from '@atoll/contract';
import { describe, expect, test } from 'vitest';
import { readNotebook } from '../file/read.ts';
import { notebookAsArticle } from './article.ts';
import { withKeptPictures } from './kept-pictures.ts';

const text = (id: string, source: string) => ({ id, cell_type: 'markdown', metadata: {}, source });
const shows = (id: string, data: object) => ({
  id,
  cell_type: 'code',
  metadata: {},
  execution_count: null,
  outputs: [{ output_type: 'display_data', data, metadata: {} }],
  source: '',
});
/** Removes the source text of formulas. */
const formulas = (...sources: string[]) =>
  drawn(sources.map((source, at) => text(`f${at}`, source))).replace(/<annotation.*?<\/annotation>/gs, '');
const drawn = (cells: object[], part?: Parameters<typeof notebookAsArticle>[2]) =>
  notebookAsArticle(
    readNotebook(JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 })),
    { ...defaultPayload, hidden_cell_ids: ['hidden'] },
    part,
  ).html;
const printed = { hasCharts: true, isPrinted: true };

test('prints all stored rows of a table, and says where there are more', () => {
  const rows = Array.from({ length: 80 }, (_, index) => [index]);
  const cell = shows('a', { 'application/vnd.atoll.dataframe+json': { columns: [{ name: 'n' }], rows, total: 1_200 } });
  const count = (html: string) => html.match(/<td>/g)?.length;
  expect([count(drawn([cell])), count(drawn([cell], printed))]).toEqual([50, 80]);
  expect(drawn([cell], printed)).toContain('The first 80 of 1,200 rows.');
  expect(drawn([cell])).not.toContain('rows.');
});

test('opens everything on paper', () => {
  const cell = text('a', '<details><summary>More</summary>x</details><details open><summary>Open</summary>y</details>');
  expect(drawn([cell]).match(/<details open/g)).toHaveLength(1);
  expect(drawn([cell], printed).match(/<details open/g)).toHaveLength(2);
});

test('draws chosen cells and never hidden ones', () => {
  const cells = [text('a', 'first'), text('b', 'second'), text('hidden', 'secret')];
  expect(drawn(cells, { ...printed, cellIds: ['b', 'hidden', 'gone'] })).toMatch(/^<section[^>]*data-cell="b">/);
  expect(drawn(cells, { ...printed, cellIds: ['b', 'hidden'] })).not.toContain('secret');
});

test('stores HTML with scripts as data for a page that draws it, and says so where it is not drawn', () => {
  const cell = shows('a', { 'text/html': '<div></div><script>draw()</script>' });
  expect(drawn([cell])).toContain('This output is interactive.');
  expect(drawn([cell])).not.toContain('data-chart');
  for (const part of [printed, { hasCharts: true }]) {
    const html = drawn([cell], part);
    expect(html).toContain('<script type="application/json" data-chart="html">');
    expect(html.match(/<\/script>/g)).toHaveLength(1);
  }
});

test('leaves out data that would make the page too large, but not on paper', () => {
  const large = (id: string) =>
    shows(id, { 'text/html': `<div></div><script>/*${'x'.repeat(11 * 1024 ** 2)}*/</script>` });
  const cells = [large('a'), large('b'), shows('c', { 'text/html': '<canvas></canvas>' })];
  const count = (part: typeof printed | { hasCharts: true }) => drawn(cells, part).match(/data-chart/g)?.length;
  expect([count({ hasCharts: true }), count(printed)]).toEqual([2, 3]);
});

test('reads a canvas in rows, with its notes', () => {
  const at = (id: string, x: number, y: number, more: object = {}) => ({
    ...shows(id, { 'text/plain': `shown by ${id}` }),
    source: `code of ${id}`,
    metadata: { atoll: { place: { x, y, w: 300, h: 100, ...more } } },
  });
  const items = {
    note: { kind: 'sticky', x: 700, y: 10, w: 300, h: 100, text: '<b>mind</b> the tide' },
    later: { kind: 'hologram', x: 0, y: 0, text: 'not drawn' },
  };
  const cells = [at('below', 0, 200), at('right', 350, 0, { show: 'output' }), at('left', 0, 0)];
  const metadata = { atoll: { canvas: { items } } };
  const file = JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 });
  const { html } = notebookAsArticle(
    readNotebook(file),
    { ...defaultPayload, shows_code: true },
    { hasCharts: false, isBoard: true },
  );
  const order = [...html.matchAll(/data-cell="(\w+)"|&lt;b&gt;mind/g)].map(([, id]) => id ?? 'note');
  expect(order).toEqual(['left', 'right', 'note', 'below']);
  expect(html.match(/class="row"/g)).toHaveLength(2);
  expect(html).toContain('<div class="w4">');
  expect(html).toContain('<div class="w12">');
  expect(html.match(/<pre class="code/g)).toHaveLength(2);
  expect(html).not.toContain('not drawn');
});

test('reads a canvas with a dashboard as its chosen cells, without code', () => {
  const cell = (id: string, grid?: object) => ({
    ...shows(id, { 'text/plain': `shown by ${id}` }),
    source: `code of ${id}`,
    metadata: { atoll: { place: { x: 0, y: 0, ...(grid ? { grid } : {}) } } },
  });
  const items = { note: { kind: 'text', x: 0, y: 0, text: 'Low water', grid: { x: 0, y: 0, w: 12, h: 1 } } };
  const cells = [cell('chosen', { x: 3, y: 4, w: 6, h: 2 }), cell('working')];
  const metadata = { atoll: { canvas: { items } } };
  const file = JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 });
  const { html } = notebookAsArticle(readNotebook(file), defaultPayload, { hasCharts: false, isBoard: true });
  expect(html).toContain('<div class="tile" style="--c:4;--w:6;--r:2;--h:2">');
  expect(html.indexOf('Low water')).toBeLessThan(html.indexOf('shown by chosen'));
  expect(html).not.toContain('working');
  expect(html).not.toContain('code of');
});

/** Finds the element in the article that a link leads to. */
function target(html: string, words: string): string | undefined {
  const href = new RegExp(`<a href="#([^"]*)"[^>]*>${words}</a>`).exec(html)?.[1];
  return href === undefined ? undefined : new RegExp(`<(\\w+)[^>]* id="${RegExp.escape(href)}"`).exec(html)?.[1];
}

test.each([
  ['as Jupyter writes them', '[go](#Speed-tests)', '## Speed tests', 'a'],
  ['as ours', '[go](#speed-tests)', '## Speed tests', 'h3'],
  ['as they are copied from the address', '[go](#at-speed-tests)', '## Speed tests', 'h3'],
  ['as GitHub writes them', '[go](#1-intro--more)', '## 1. Intro & more!', 'h3'],
  ['with punctuation, as Jupyter', '[go](#1.-Intro-&-more!)', '## 1. Intro & more!', 'a'],
  ['in another script', '[go](#Введение-в-ML)', '# Введение в ML', 'a'],
  ['to an anchor by its name', '[go](#toc)', '<a name="toc"></a> Contents', 'a'],
  ['to an anchor by its id', '<a href="#the end" target="_blank">go</a>', '<a id="the end"></a>', 'a'],
  ['to any element', '[go](#part)', '<div id="part">text</div>', 'div'],
])('links within the article lead to their place and stay in it: %s', (_, link, place, tag) => {
  const html = drawn([text('a', link), text('b', place)]);
  expect(target(html, 'go')).toBe(tag);
  expect(html).toMatch(/<a href="#[^"]*" target="_self">go<\/a>/);
});

test('opens another page only for links that leave the article', () => {
  expect(drawn([text('a', '[go](https://a.example/#x)')])).toContain(
    '<a href="https://a.example/#x" rel="noopener noreferrer nofollow" target="_blank">go</a>',
  );
});

test('gives no anchor the name of a global of the page', () => {
  const names = ['root', 'page', 'process', 'reader_comments'];
  const cells = names.flatMap((name) => [
    text(`${name}-1`, `# ${name}\n\n<a id="${name}"></a><a name="${name}"></a><p id="${name}">x</p>`),
    shows(`${name}-2`, { 'text/html': `<div id="${name}" name="${name}"><img name="${name}" src="data:,"></div>` }),
  ]);
  const html = drawn(cells);
  const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
  expect(ids).toHaveLength(21);
  for (const id of ids) expect(id).toMatch(/^at-/);
  expect(html).not.toMatch(/ name="/);
});

test('gives headings of every script anchors of their own', () => {
  const cells = ['# Введение', '# Введение', '# 数据 分析', '# Höhe', '# 🚀'].map((source, at) =>
    text(`c${at}`, source),
  );
  const { toc } = notebookAsArticle(
    readNotebook(JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 })),
    defaultPayload,
  );
  expect(toc.map(({ anchor }) => anchor)).toEqual([
    'at-введение',
    'at-введение-2',
    'at-数据-分析',
    'at-hohe',
    'at-section',
  ]);
});

test('keeps the rest of the page intact after a formula that ends within a line', () => {
  const html = formulas('<span style="color:red">$$\na\n$$</span>\n\nThe text goes on.\n\n$$\nb\n$$', '# Next');
  expect(html.match(/<math/g)).toHaveLength(2);
  expect(html).toContain('<p>The text goes on.</p>');
  expect(html).toContain('Next</h2>');
  expect(html).not.toContain('data-formula');
});

test('numbers formulas as Jupyter does, and resolves references, also to later ones', () => {
  const html = formulas(
    'By \\eqref{eq:last}, $\\eqref{eq:first}$ and \\ref{gone}.',
    '\\begin{equation}\\label{eq:first}\na = b\n\\end{equation}',
    '\\begin{align}\na &= 1 \\\\\nb &= 2 \\nonumber \\\\\nc &= 3 \\label{eq:third}\n\\end{align}',
    '\\begin{eqnarray*}\nx &=& y\n\\end{eqnarray*}',
    '$$ e = mc^2 \\label{eq:last} $$',
  );
  expect(html).toContain('By <a href="#at-eq:last" target="_self">(4)</a>');
  expect(html).toContain('<a href="#at-eq:first" target="_self">(1)</a> and ???.');
  expect([...html.matchAll(/<mtext>(?:\\u2003| )*\((\d)\)<\/mtext>/g)].map(([, number]) => number)).toEqual([
    '1',
    '2',
    '3',
    '4',
  ]);
  expect(target(html, '\\(4\\)')).toBe('a');
  expect(html).not.toContain('class="tex"');
});

test('keeps definitions of a formula for those after it, also when it is defined again', () => {
  const html = formulas(
    '$\\require{color}\\newcommand{\\R}{\\mathbb{Q}}\\DeclareMathOperator*{\\best}{best}$',
    '$\\R$ and $\\best_x \\mathbbm{1}$',
    '$\\newcommand\\R{Z}\\R$ and $\\ce{H2O}$',
  );
  expect(html).toContain('<mi mathvariant="double-struck">Q</mi>');
  expect(html).toContain('<mi mathvariant="normal">best</mi>');
  expect(html).toContain('<mi>Z</mi>');
  expect(html).not.toContain('class="tex"');
});

test('shows an invalid formula as its source, with the reason', () => {
  const html = formulas('so $\\foo x$ is', '$$\n\\foo <b>\n$$');
  expect(html).toContain(
    '<code class="tex" title="Shown as it was written: Undefined control sequence: \\foo.">\\foo x</code>',
  );
  expect(html).toContain('\\foo &lt;b&gt;</code><p class="note">Shown as it was written: Undefined control sequence');
});

const prints = (id: string, ...texts: [name: string, text: string][]) => ({
  ...shows(id, {}),
  outputs: texts.map(([name, text]) => ({ output_type: 'stream', name, text })),
});

test('shows the last state of a progress bar, however many outputs it is in', () => {
  const bar: [string, string][] = [
    ['stderr', '\r  0%|     | 0/2'],
    ['stderr', '\r 50%|██   | 1/2\u001b[A'],
    ['stderr', '\r100%|█████| 2/2\n'],
    ['stdout', 'done\r\nnext'],
  ];
  const html = drawn([prints('a', ...bar)]);
  expect(html.match(/<pre/g)).toHaveLength(2);
  expect(html).toContain('>100%|█████| 2/2\n</pre>');
  expect(html).toContain('>done\nnext</pre>');
});

test('includes sound, film and progress of the notebook only, and plays them only on request', () => {
  const html = drawn([
    shows('a', { 'audio/wav': 'UklG\nRg==', 'text/plain': '<Audio>' }),
    shows('b', {
      'text/html': '<video autoplay width="320"><source src="data:video/mp4;base64,AA" type="video/mp4"></video>',
    }),
    shows('c', {
      'text/html':
        '<audio src="https://spy.example/x.mp3" onplay="x()">no</audio><progress value="3" max="9"></progress>',
    }),
    shows('d', { 'video/mp4" onerror="x': 'AA', 'text/plain': 'text' }),
  ]);
  expect(html).toContain('<audio controls src="data:audio/wav;base64,UklGRg=="></audio>');
  expect(html).toContain('<source src="data:video/mp4;base64,AA" type="video/mp4"');
  expect(html).toMatch(/<video width="320" controls/);
  expect(html).toContain('<progress value="3" max="9"></progress>');
  expect(html).not.toMatch(/autoplay|spy|onplay|onerror/);
  expect(drawn([shows('a', { 'audio/wav': 'AA' })], printed)).toContain('A recording, which plays in the notebook.');
});

test('shows a diagram of scikit-learn as text once, and as data for a page that can draw it', () => {
  const diagram =
    '<style>#sk-container-id-1 {color: black;}</style><div id="sk-container-id-1" class="sk-top-container">' +
    '<div class="sk-text-repr-fallback"><pre>Pipeline(steps=[(&#x27;pca&#x27;, PCA())])</pre>' +
    '<b>In a Jupyter environment, please rerun this cell</b></div><div class="sk-container" hidden>' +
    '<input type="checkbox"><label>PCA</label></div></div>';
  const html = drawn([shows('a', { 'text/html': diagram })]);
  expect(html.match(/PCA/g)).toHaveLength(1);
  expect(html).toMatch(/data-live="0"><pre[^>]*>Pipeline\(steps=/);
  expect(html).not.toContain('rerun');
  expect(drawn([shows('a', { 'text/html': diagram })], printed)).toContain('data-chart="html"');
});

test('makes elements that may be wider than the page reachable with the keyboard', () => {
  const html = drawn([
    text('a', '| a |\n|---|\n| b |\n\n```\ncode\n```\n\n    indented'),
    { ...shows('b', { 'text/html': '<table><tr><td>1</td></tr></table>' }), source: 'x' },
    prints('c', ['stdout', 'text']),
    text('d', '<table><tr><td><table><tr><td>in it</td></tr></table></td></tr></table>'),
  ]);
  expect(html.match(/<pre/g)).toHaveLength(4);
  expect(html.match(/<div class="table" tabindex="0">/g)).toHaveLength(2);
  expect(html).toMatch(/<\/table><\/td><\/tr>(<\/tbody>)?<\/table><\/div>/);
  expect(html.match(/<pre[^>]* tabindex="0"/g)).toHaveLength(4);
  expect(html).toMatch(/<div class="table" tabindex="0">\s*<table>/);
  expect(html).toContain('<div class="output" tabindex="0">');
});

test('does not mark code of another language as Python', () => {
  const cells = [{ ...shows('a', {}), source: 'for = 1 # x' }];
  const file = JSON.stringify({ cells, metadata: { language_info: { name: 'R' } }, nbformat: 4, nbformat_minor: 5 });
  expect(notebookAsArticle(readNotebook(file), defaultPayload).html).not.toContain('tok-');
  expect(drawn(cells)).toContain('tok-keyword');
});

describe('pictures of other servers', () => {
  const remote = 'https://far.example/a/tide.png?x=1&y=2';
  const cells = [
    text('a', `![High tide](${remote})\n\n[![badge](https://far.example/b.svg)](https://a.example)`),
    shows('b', { 'text/html': '<img src="//far.example/c.png">' }),
  ];
  const article = (metadata: object = {}) =>
    notebookAsArticle(
      readNotebook(JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 })),
      defaultPayload,
    );

  test('are links to them, and named', () => {
    const { html, pictures } = article();
    expect(pictures).toEqual([remote, 'https://far.example/b.svg', 'https://far.example/c.png']);
    expect(html).not.toContain('<img');
    expect(html).toMatch(
      /<a href="https:\/\/far.example\/a\/tide.png\?x=1&amp;y=2"[^>]* target="_blank">Picture: High tide<\/a>/,
    );
    expect(html).toMatch(/<a href="https:\/\/a.example"[^>]*><span>badge<\/span><\/a>/);
    expect(html).toContain('>Picture: c.png</a>');
  });

  test('are drawn where the version keeps them, and only pictures are', () => {
    const pictures = {
      [remote]: { url: 'data:image/png;base64,AAAA' },
      'https://far.example/b.svg': { url: 'javascript:alert(1)' },
      'https://far.example/c.png': { problem: 'It did not answer.' },
    };
    const file = withKeptPictures(JSON.stringify({ cells, metadata: { atoll: { title: 'x' } } }), pictures);
    expect(JSON.parse(file).metadata.atoll).toEqual({ title: 'x', pictures });
    expect(JSON.parse(withKeptPictures(file, {})).metadata.atoll).toEqual({ title: 'x' });
    const { html } = article(JSON.parse(file).metadata);
    expect(html.match(/<img/g)).toHaveLength(1);
    expect(html).toContain('<img src="data:image/png;base64,AAAA" alt="High tide"');
    expect(html).not.toContain('javascript:');
  });
});

describe('widgets', () => {
  const view = (id: string) => ({ 'application/vnd.jupyter.widget-view+json': { model_id: id } });
  const model = (model_name: string, state: object, more: object = {}) => ({
    model_name,
    model_module: '@jupyter-widgets/controls',
    model_module_version: '2.0.0',
    state,
    ...more,
  });
  const state = {
    bar: model('HBoxModel', {
      children: ['IPY_MODEL_left', 'IPY_MODEL_progress', 'IPY_MODEL_gone'],
      layout: 'IPY_MODEL_layout',
    }),
    left: model('HTMLModel', { value: '100% <b onclick="x()">done</b><script>1</script>' }),
    progress: model('FloatProgressModel', { value: 7, min: 2, max: 12, description: '' }),
    layout: model('LayoutModel', {}),
    choice: model('DropdownModel', { description: 'Port <x>', _options_labels: ['Oslo', 'Bergen'], index: 1 }),
    shown: model('OutputModel', { outputs: [{ output_type: 'stream', name: 'stdout', text: 'drawn' }, 7] }),
    image: model('ImageModel', { format: 'png' }, { buffers: [{ encoding: 'base64', path: ['value'], data: 'AA==' }] }),
    all: model('VBoxModel', { children: ['IPY_MODEL_choice', 'IPY_MODEL_shown', 'IPY_MODEL_image', 'IPY_MODEL_all'] }),
    other: model('AnyModel', { secret: 1 }),
  };
  const metadata = { widgets: { 'application/vnd.jupyter.widget-state+json': { state, version_major: 2 } } };
  const cells = [
    shows('a', view('bar')),
    shows('b', view('all')),
    shows('c', view('missing')),
    shows('d', view('map')),
  ];
  const article = (part?: Parameters<typeof notebookAsArticle>[2]) =>
    notebookAsArticle(
      readNotebook(JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 })),
      defaultPayload,
      part,
    ).html;

  test('are read from the saved state, sanitised, and marked to be drawn by a script where that is possible', () => {
    const html = article();
    expect(html).toContain('data-live="0"><div>100% <b>done</b> <progress value="5" max="10"></progress> </div>');
    expect(html).toContain('Port  Bergen');
    expect(html).toContain('>drawn</pre>');
    expect(html).toContain('src="data:image/png;base64,AA=="');
    expect(html).not.toMatch(/onclick|<script|secret/);
    expect(html.match(/This control works in the notebook/g)).toHaveLength(2);
    expect(html.match(/data-live/g)).toHaveLength(2);
  });

  test('include only the models that they are made of', () => {
    const specs = [...article({ hasCharts: true }).matchAll(/data-chart="widgets">(.*?)<\/script>/gs)].map(
      ([, data = '']) => JSON.parse(data),
    );
    expect(specs.map(({ model_id, state: own }) => [model_id, Object.keys(own).sort()])).toEqual([
      ['bar', ['bar', 'layout', 'left', 'progress']],
      ['all', ['all', 'choice', 'image', 'shown']],
    ]);
  });

  test('shows the text written in place of a bar whose state was not saved', () => {
    const bar = { ...view('gone'), 'text/plain': ' 40%|####      | 4/10' };
    expect(drawn([shows('a', bar)])).toContain('> 40%|####      | 4/10</pre>');
  });
});
