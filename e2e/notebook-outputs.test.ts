import { complaintsOf, expect, phone, test } from './fixtures.ts';
import {
  cell,
  choose,
  code,
  notebook,
  notebookWith,
  openNotebook,
  output,
  shows,
  slow,
  text,
} from './notebook-page.ts';

const bars = { data: [{ type: 'bar', x: ['a', 'b'], y: [1, 3] }], layout: { title: { text: 'Tides of May' } } };
const line = {
  $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
  data: { values: [{ a: 1, b: 2 }] },
  mark: 'point',
  title: 'Ebb and flow',
  encoding: { x: { field: 'a', type: 'quantitative' } },
};

const model = (module: string, name: string, state: object) => ({
  model_module: `@jupyter-widgets/${module}`,
  model_module_version: '2.0.0',
  model_name: `${name}Model`,
  state,
});
const slider = { value: 7, description: 'Depth', layout: 'IPY_MODEL_look', style: 'IPY_MODEL_style' };
const widgets = {
  version_major: 2,
  version_minor: 0,
  state: {
    slider: model('controls', 'IntSlider', slider),
    look: model('base', 'Layout', {}),
    style: model('controls', 'SliderStyle', {}),
  },
};
/** A picture of more than is sent with a notebook at once. */
const wide = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="10"><!--${'x'.repeat(100_000)}--></svg>`;

test('charts, formulas, trees and pictures are drawn; nothing hostile runs', async ({ page, signedUp: _ }) => {
  const complaints = complaintsOf(page);
  await openNotebook(
    page,
    notebookWith(
      { widgets: { 'application/vnd.jupyter.widget-state+json': widgets } },
      text(
        '# Hi <img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script> $e^{2}$',
        'hostile',
      ),
      text('```mermaid\ngraph LR\n  Harbour --> Sea\n```', 'diagram'),
      code(
        '',
        'html',
        shows({ 'text/html': '<p>frame</p><script>try { parent.document.title = "owned" } catch {}</script>' }),
      ),
      code('', 'plotly', shows({ 'application/vnd.plotly.v1+json': bars })),
      code('', 'vega', shows({ 'application/vnd.vegalite.v6+json': line })),
      code('', 'json', shows({ 'application/json': { port: { name: 'Oslo' } } })),
      code('', 'latex', shows({ 'text/latex': '\\int x\\,dx' })),
      code('', 'picture', shows({ 'image/svg+xml': wide })),
      code('', 'line', [{ output_type: 'stream', name: 'stdout', text: `${'long '.repeat(1_000)}end of it\n` }]),
      code('', 'widget', shows({ 'application/vnd.jupyter.widget-view+json': { model_id: 'slider' } })),
    ),
  );
  await expect(cell(page, 'hostile').locator('.katex').first()).toBeVisible();
  await expect(cell(page, 'diagram').getByText('Harbour')).toBeVisible();
  await expect(cell(page, 'html').locator('iframe').contentFrame().getByText('frame')).toBeVisible();
  await expect(cell(page, 'plotly').locator('iframe').contentFrame().getByText('Tides of May')).toBeVisible(slow);
  await expect(cell(page, 'vega').locator('iframe').contentFrame().getByText('Ebb and flow')).toBeVisible(slow);
  await cell(page, 'json').getByText('port:').click();
  await expect(cell(page, 'json').getByText('"Oslo"')).toBeVisible();
  await expect(cell(page, 'latex').locator('.katex').first()).toBeVisible();
  // However large, a picture needs no press; a line that is cut is whole with one.
  await expect(cell(page, 'picture').getByRole('img')).toHaveJSProperty('naturalWidth', 40);
  await expect(cell(page, 'line')).not.toContainText('end of it');
  await cell(page, 'line').getByRole('button', { name: 'Show full lines' }).click();
  await expect(cell(page, 'line')).toContainText('end of it');
  // As it was saved, without a kernel.
  await expect(cell(page, 'widget').getByRole('slider')).toHaveAttribute('aria-valuenow', /^7(\.0)?$/);
  await expect(page).not.toHaveTitle(/owned/);
  // A picture that is not there, and the page's policy saying of what is being cleaned that it could not have run.
  const expected = /404|Executing inline event handler/;
  expect(complaints.filter((words) => !expected.test(words))).toEqual([]);
});

test('widgets and links of other people neither leave the page nor reach into it', async ({ page, signedUp: _ }) => {
  const leave = '<meta http-equiv="refresh" content="0; url=/sign-up"><b>kept words</b>';
  const cover = '<span style="position: fixed; inset: 0">over all</span>';
  const shared = { layout: 'IPY_MODEL_look', style: 'IPY_MODEL_style' };
  const html = { ...shared, value: `${leave}<a href="//example.org" target="_top" rel="opener">away</a>` };
  const button = { ...shared, value: 1, description: `${leave}${cover}`, description_allow_html: true };
  const odd = { ...shared, _view_name: `<img src=x>${leave}`, _view_module: '@jupyter-widgets/controls' };
  const state = {
    html: model('controls', 'HTML', html),
    math: model('controls', 'HTMLMath', html),
    button: model('controls', 'IntSlider', button),
    odd: model('controls', 'IntSlider', odd),
    error: model('base', 'ErrorWidget', { msg: leave, error: {} }),
    look: model('base', 'Layout', {}),
    style: model('controls', 'SliderStyle', {}),
  };
  const shown = Object.keys(state).slice(0, 5);
  const asks = '<p>frame</p><script>document.body.append(typeof RTCPeerConnection)</script>';
  await openNotebook(
    page,
    notebookWith(
      { widgets: { 'application/vnd.jupyter.widget-state+json': { version_major: 2, version_minor: 0, state } } },
      text('[a](//example.org) <a href="/\t/example.org" target="_top" rel="opener">b</a> [c](#here)', 'links'),
      ...shown.map((id) => code('', id, shows({ 'application/vnd.jupyter.widget-view+json': { model_id: id } }))),
      code('', 'webrtc', shows({ 'text/html': asks })),
    ),
  );
  for (const id of ['html', 'math', 'button']) await expect(cell(page, id).getByText('kept words')).toBeVisible(slow);
  for (const id of ['odd', 'error']) {
    await expect(cell(page, id)).toContainText('cannot be displayed');
    await cell(page, id).getByText('cannot be displayed').click();
  }
  await expect(cell(page, 'webrtc').locator('iframe').contentFrame().getByText('undefined')).toBeVisible(slow);
  await expect(page.locator('main meta, main [style*="fixed"]')).toHaveCount(0);
  const away = page.locator('main a[href*="example.org"]');
  await expect(away).toHaveCount(4);
  for (const link of await away.all()) {
    await expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow');
    await expect(link).toHaveAttribute('target', '_blank');
  }
  await expect(page).toHaveURL(/\/projects\//);
});

test('a chart whose library did not come says so and is drawn once it does, also in a page that is busy while its frame loads', async ({
  page,
  signedUp: _,
}) => {
  let isAway = true;
  await page.route(/\/plotly[^/]*\.js/, (route) => (isAway ? route.abort() : route.continue()));
  await openNotebook(page, notebook(code('', 'plotly', shows({ 'application/vnd.plotly.v1+json': bars }))));
  await expect(cell(page, 'plotly').getByRole('alert')).toContainText('Could not load');
  isAway = false;
  await cell(page, 'plotly').getByRole('button', { name: 'Try again' }).click();
  await expect(cell(page, 'plotly').locator('iframe').contentFrame().getByText('Tides of May')).toBeVisible(slow);

  // What React puts off until the page has time for it.
  await page.addInitScript(() => {
    const post = MessagePort.prototype.postMessage;
    MessagePort.prototype.postMessage = function (...given: never[]) {
      setTimeout(() => post.apply(this, given as never), 300);
    };
  });
  await openNotebook(
    page,
    notebook(
      code('', 'html', shows({ 'text/html': '<p>frame</p>' })),
      code('', 'plotly', shows({ 'application/vnd.plotly.v1+json': bars })),
    ),
  );
  await expect(cell(page, 'plotly').locator('iframe').contentFrame().getByText('Tides of May')).toBeVisible(slow);
});

test('a hundred thousand lines come, can be stopped, and none is lost', async ({ page, signedUp: _ }) => {
  await openNotebook(
    page,
    notebook(
      code('for n in range(100_000):\n    print("line", n)', 'many'),
      code('n = 0\nwhile True:\n    n += 1\n    print("again", n)', 'endless'),
    ),
  );
  await choose(page, 'many');
  await page.keyboard.press('Control+Enter');
  await expect(cell(page, 'many')).toContainText('line 23', slow);
  await expect(page.getByRole('button', { name: /^Kernel: .*Idle/ })).toBeVisible(slow);
  // Most of it is not in the page until it is asked for.
  expect(await cell(page, 'many').evaluate((each) => each.textContent?.length ?? 0)).toBeLessThan(20_000);
  const more = cell(page, 'many').getByRole('button', { name: 'Load more' });
  while (await more.isVisible()) {
    await more.click();
    await expect(more).not.toHaveAttribute('data-loading');
  }
  await expect(output(page, 'many').last()).toContainText('line 99999');

  await choose(page, 'endless');
  await page.keyboard.press('Control+Enter');
  await expect(cell(page, 'endless')).toContainText('again 1', slow);
  await page.getByRole('button', { name: 'Interrupt', exact: true }).click();
  await expect(cell(page, 'endless').getByText(/Failed after|Interrupted after/)).toBeVisible();
});

test('versions are named, compared cell by cell, read and restored', async ({ page, signedUp: _ }) => {
  await openNotebook(page, notebook(code('tide = 1', 'a'), code('"stays"', 'b')));
  await choose(page, 'a');
  await page.getByRole('button', { name: 'Version history' }).click();
  const panel = page.getByRole('complementary', { name: 'Versions' });
  await panel.getByRole('textbox', { name: 'Name this version' }).fill('Before the storm');
  await panel.getByRole('button', { name: 'Save version' }).click();
  await expect(panel.getByRole('button', { name: /Before the storm/ })).toBeVisible();

  await cell(page, 'a').getByText('tide').first().click();
  await page.keyboard.press('End');
  await page.keyboard.type('2');
  await page.keyboard.press('Control+s');
  await page.keyboard.press('Escape');
  await page.keyboard.press('b');
  await panel.getByRole('textbox', { name: 'Name this version' }).fill('After it');
  await panel.getByRole('button', { name: 'Save version' }).click();
  await expect(panel.getByRole('button', { name: /After it/ })).toBeVisible();

  await panel.getByRole('button', { name: /Before the storm/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Versions of tides.ipynb' });
  await expect(dialog.getByText('2 of 3 cells differ.')).toBeVisible();
  await expect(dialog.getByRole('heading', { name: 'Changed' })).toBeVisible();
  await expect(dialog.getByRole('heading', { name: 'Added' })).toBeVisible();
  await dialog.getByText('Left version only').click();
  await expect(dialog.locator('[data-cell]')).toHaveCount(2);
  await dialog.getByRole('button', { name: 'Restore this version' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.locator('[data-cell]')).toHaveCount(2);
  await expect(cell(page, 'a')).toContainText('tide = 1');
  await expect(cell(page, 'a')).not.toContainText('12');
});

test('on a phone a notebook is read and run with a thumb', async ({ page, signedUp: _ }) => {
  await page.setViewportSize(phone);
  const long = 'raise ValueError("the water in the harbour is " + "very " * 30 + "deep: " + "x" * 200)';
  await openNotebook(page, notebook(text('# Tides', 'intro'), code('6 * 7', 'a'), code(long, 'b')));
  await expect(cell(page, 'intro').getByRole('heading', { name: 'Tides' })).toBeVisible();
  await cell(page, 'a').getByRole('button', { name: 'Run cell' }).click();
  await expect(output(page, 'a')).toHaveText('42', slow);
  await cell(page, 'b').getByRole('button', { name: 'Run cell' }).click();
  // All of an error can be read without moving it to the side.
  const error = cell(page, 'b').getByRole('figure', { name: 'Error' });
  await expect(error).toContainText('ValueError');
  expect(await error.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.getByRole('button', { name: 'Notebook menu' }).click();
  await page.getByRole('menuitem', { name: 'Table of contents' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Tides' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.getByRole('button', { name: 'Notebook menu' }).click();
  await page.getByRole('menuitem', { name: 'Snippets' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Describe a DataFrame' }).click();
  await expect(page.locator('[data-cell][data-mode="edit"]')).toContainText('df.describe');
});
