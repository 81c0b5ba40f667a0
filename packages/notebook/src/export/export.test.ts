import { describe, expect, test } from 'vitest';
import { readNotebook } from '../file/read.ts';
import { notebookAsHtml, notebookAsMarkdown, notebookAsScript, scriptOf } from './export.ts';

const code = (source: string, data?: object, metadata: object = {}) => ({
  cell_type: 'code',
  metadata,
  execution_count: null,
  outputs: data ? [{ output_type: 'display_data', data, metadata: {} }] : [],
  source,
});
const fileOf = (...cells: object[]) =>
  readNotebook(JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }));

test('gives nothing about the reader of a page to its links', () => {
  const text = { cell_type: 'markdown', metadata: {}, source: '[a](https://a.example) https://b.example' };
  const page = notebookAsHtml(fileOf(text), 'x');
  expect(page.match(/<a href="https:[^>]*>/g)).toEqual([
    '<a href="https://a.example" rel="noopener noreferrer">',
    '<a href="https://b.example" rel="noopener noreferrer">',
  ]);
});

describe('as a script', () => {
  const script = (source: string) => notebookAsScript(fileOf(code(source))).slice('# %%\n'.length, -1);

  test('makes comments of lines that Python does not know, and no new cells', () => {
    expect(script('%matplotlib inline\nx = 1\nfiles = !ls\ndf?\n!pip list')).toBe(
      '# %matplotlib inline\nx = 1\n# files = !ls\n# df?\n# !pip list',
    );
    expect(script('%%bash\nls -la')).toBe('# Cell magic: %%bash\n# ls -la');
    expect(script('%%time\nx = 1')).toBe('# Cell magic: %%time\nx = 1');
    expect(script('if x:\n    %time f()')).toBe('if x:\n    pass  # %time f()');
  });

  test('keeps lines that Python knows', () => {
    for (const source of ['text = """\n%s of it\n!important\n"""', 'x = (7\n % 3)', 'a = b != c', "print('%d' % 3)"])
      expect(script(source)).toBe(source);
  });

  test('a query runs where DuckDB is', () => {
    const query = code("select 'a\nb'", undefined, { atoll: { type: 'sql', variable: 'ports' } });
    expect(notebookAsScript(fileOf(query))).toBe(
      '# %% [sql]\nimport duckdb\n\nports = duckdb.sql("select \'a\\nb\'").df()\n',
    );
  });

  test('passes each statement of a query the variables it uses', () => {
    const query = 'create table near as from ports where depth > $least; from near where name = $port';
    expect(script(query)).toBe(query);
    expect(notebookAsScript(fileOf(code(query, undefined, { atoll: { type: 'sql', variable: 'found' } })))).toBe(
      `# %% [sql]\nimport duckdb\n\nfor _statement in duckdb.extract_statements("${query}"):
    _given = {name: globals()[name] for name in _statement.named_parameters}
    found = duckdb.sql(_statement, params=_given or None)
found = found.df()\n`,
    );
  });
});

describe('in another language', () => {
  const file = (metadata: object) =>
    readNotebook(
      JSON.stringify({
        cells: [{ cell_type: 'markdown', metadata: {}, source: 'Title' }, code('%let x = 1;\nx <- 1')],
        metadata,
        nbformat: 4,
        nbformat_minor: 5,
      }),
    );

  test.each([
    [{ language_info: { name: 'R', file_extension: '.r' } }, 'r', '#'],
    [{ kernelspec: { language: 'julia' } }, 'jl', '#'],
    [{ language_info: { name: 'C++17' } }, 'cpp', '//'],
    [{ language_info: { name: 'sas', file_extension: '.exe' } }, 'txt', '#'],
  ])('%j', (metadata, extension, mark) => {
    expect(scriptOf(file(metadata)).extension).toBe(extension);
    expect(notebookAsScript(file(metadata))).toBe(
      `${mark} %% [markdown]\n${mark} Title\n\n${mark} %%\n%let x = 1;\nx <- 1\n`,
    );
  });
});

describe('as text and as a page', () => {
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><text>(a)</text></svg>';
  const shown = (data: object) => {
    const file = fileOf(code('', data));
    return { text: notebookAsMarkdown(file), page: notebookAsHtml(file, 'x') };
  };

  test('leaves out no output', () => {
    expect(shown({ 'application/json': { tide: 3 }, 'text/plain': '<JSON object>' }).text).toContain('"tide": 3');
    expect(shown({ 'application/json': { tide: 3 } }).page).toContain('&quot;tide&quot;: 3');
    expect(shown({ 'text/html': '<b>high</b>' }).text).toContain('```html\n<b>high</b>\n```');
    expect(shown({ 'text/markdown': '**high**' }).page).toContain('<strong>high</strong>');
    expect(shown({ 'image/svg+xml': drawing }).text).toMatch(/!\[\]\(data:image\/svg\+xml;charset=utf-8,[^()]+\)/);
    expect(shown({ 'image/svg+xml': drawing, 'image/png': 'AA' }).page).toContain('data:image/png;base64,AA');
    expect(shown({ 'application/vnd.plotly.v1+json': {}, 'text/plain': 'Figure()' }).page).toContain('A chart');
  });

  test('puts html into a frame that runs nothing', () => {
    const { page } = shown({ 'text/html': '<table><tr></tr></table><script>alert("x")</script>', 'text/plain': 'x' });
    expect(page).toContain('<iframe sandbox title="Output"');
    expect(page).toContain("default-src 'none'");
    expect(page).not.toContain('<script>');
  });

  describe('formulas', () => {
    const page = (...sources: string[]) =>
      notebookAsHtml(fileOf(...sources.map((source) => ({ cell_type: 'markdown', metadata: {}, source }))), 'x');

    test('are drawn, in texts and as outputs, without files from elsewhere', () => {
      const drawn = page('The tide $h_0$ is\n\n$$\n\\frac{a}{b}\n$$\n\nand costs $5, not $6.');
      expect(drawn).toContain('<msub><mi>h</mi><mn>0</mn></msub>');
      expect(drawn).toMatch(/<div class="formula"[^>]*>.*<math [^>]*display="block">.*<mfrac>/);
      expect(drawn).toContain('and costs $5, not $6.');
      expect(drawn).not.toMatch(/<link|url\(/);
      expect(shown({ 'text/latex': 'x^2', 'text/plain': 'x**2' }).page).toContain('<msup><mi>x</mi><mn>2</mn></msup>');
    });

    test('show their source where they are invalid, and the others are drawn', () => {
      const deep = `${'{'.repeat(1_900)}${'}'.repeat(1_900)}`;
      const drawn = page('$\\frac{$ and $x$', `$${deep}$`, `$${'y+'.repeat(3_000)}$`);
      expect(drawn).toMatch(
        /<code class="tex" title="Shown as it was written: [^"]+">\\frac\{<\/code> and <span class="katex"><math/,
      );
      expect(drawn).toContain(`${'y+'.repeat(3_000)}</code>`);
    });

    test('are harmless, whatever stands in them', () => {
      const drawn = page(
        '$\\href{javascript:alert(1)}{x}$ $\\htmlData{a=b}{x}$ $\\includegraphics{https://x.example/y.png}$',
        '$\\text{<script>alert(1)</script>}$ $<img src=x onerror=alert(1)>$ $\\frac{<script>$',
      );
      expect(drawn).not.toMatch(/<(script|img|a)\b|<[^>]* (href|src|on\w+|data-a)=/);
    });

    test('are rejected when a short source grows too large', () => {
      const many = `$\\def\\a{${'x'.repeat(2_000)}}${'\\a'.repeat(150)}$`;
      const drawn = page(many, many, many, many);
      expect(drawn.length).toBeLessThan(10 * 1024 ** 2);
      expect(drawn.match(/<code [^>]*>\\def/g)).toHaveLength(2);
    });

    test('are rejected when they fail after much work, too', () => {
      const broken = `$\\def\\a{${'x'.repeat(3_000)}}\\a}$`;
      expect(page('$x$')).toContain('<math');
      expect(page(...Array<string>(20).fill(broken), '$x$')).not.toContain('<math');
    });
  });
});
