import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { violationsOf } from './axe.ts';
import { board, boxOf, drag, placed, selection, thing } from './board.ts';
import { api, call, complaintsOf, expect, makeFile, makeProject, phone, share, test } from './fixtures.ts';
import { code, notebookWith, saved, shows, slow } from './notebook-page.ts';

test('frames are slides, and a canvas is printed in its rows', async ({ page, signedUp: _ }) => {
  const template = { name: 'Team', template: 'canvas-workshop' };
  const { id: project, default_file_id: file } = await call(page.request, 'POST', '/notebooks', template);
  await page.goto(`/projects/${project}`);
  await page.getByRole('button', { name: 'Present' }).click();
  const slides = page.getByRole('toolbar', { name: 'Slides' });
  await expect(slides).toContainText('1. Start: 1 of 4');
  await page.keyboard.press('ArrowRight');
  await expect(slides).toContainText('2. Well and not so well: 2 of 4');
  const frame = await boxOf(thing(page, 'f2'));
  const stage = await boxOf(board(page));
  expect(Math.abs(frame.x + frame.width / 2 - stage.x - stage.width / 2)).toBeLessThan(2);
  // Nothing but the frame is seen, and what controls the slides lies below it.
  const bar = await boxOf(slides);
  const matte = await boxOf(page.locator('[data-matte]'));
  expect(frame.y + frame.height).toBeLessThanOrEqual(bar.y + 1);
  expect([matte.x, matte.width].map(Math.round)).toEqual([frame.x, frame.width].map(Math.round));
  await slides.getByRole('button', { name: 'Thumbnails' }).click();
  const all = page.getByRole('list', { name: 'All slides' });
  await expect(all.getByRole('button')).toHaveCount(4);
  await all.getByRole('button', { name: 'Slide 4' }).click();
  await expect(slides).toContainText('4 of 4');
  await all.getByRole('button', { name: 'Slide 2' }).click();
  await expect(slides).toContainText('2 of 4');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(slides).toContainText('1 of 4');

  // The presenter has notes, the next slide and a clock in a window of its own, and goes on from there.
  const popup = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Presenter view' }).click();
  const presenter = await popup;
  await expect(presenter.getByRole('heading', { name: '1. Start' })).toBeVisible();
  await expect(presenter.getByText('Next: 2. Well and not so well')).toBeVisible();
  for (const name of ['This slide', 'Next slide'])
    await expect(presenter.getByRole('region', { name }).locator('img')).toBeVisible(slow);
  await expect(presenter.getByRole('timer')).toHaveText(/^0\d:\d\d$/);
  await presenter.keyboard.press('ArrowRight');
  await expect(slides).toContainText('2 of 4');
  // It stays when the slide is another one.
  await expect(presenter.getByRole('heading', { name: '2. Well and not so well' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(slides).toHaveCount(0);
  await expect.poll(() => presenter.isClosed()).toBe(true);

  // Notes are written at the frame.
  await thing(page, 'f2').locator('[data-grip]').click();
  await selection(page).getByRole('button', { name: 'Notes' }).click();
  await page.getByRole('textbox', { name: 'Presenter notes' }).fill('Ask everyone once');
  await page.keyboard.press('Escape');
  await saved(page);

  // A version is compared and restored with what stands on the canvas.
  await page.getByRole('button', { name: 'Version history' }).click();
  const versions = page.getByRole('complementary', { name: 'Versions' });
  const nameVersion = async (name: string) => {
    await versions.getByRole('textbox', { name: 'Name this version' }).fill(name);
    await versions.getByRole('button', { name: 'Save version' }).click();
    await expect(versions.getByRole('button', { name: new RegExp(name) })).toBeVisible();
  };
  await nameVersion('Whole board');
  await thing(page, 'f2').locator('[data-grip]').click();
  await page.keyboard.press('Delete');
  await expect(thing(page, 'f2')).toHaveCount(0);
  await saved(page);
  await nameVersion('Without a frame');
  await versions.getByRole('button', { name: /Whole board/ }).click();
  const compared = page.getByRole('dialog', { name: /^Versions of/ });
  await expect(compared.getByRole('heading', { name: 'Canvas: 1 object differs' })).toBeVisible();
  await expect(compared.getByText('No differences.')).toHaveCount(0);
  await expect(compared.getByRole('img', { name: 'Canvas before' }).locator('[data-mark="removed"]')).toHaveCount(1);
  expect(await violationsOf(page)).toEqual([]);
  await compared.getByRole('button', { name: 'Restore this version' }).click();
  await expect(thing(page, 'f2')).toHaveCount(1);

  // As files: a page for each frame, a frame as a picture and as a drawing that a browser can show.
  const exported = async (data: object) => {
    const answer = await page.request.post(`${api}/projects/${project}/files/${file}/export`, { data });
    return { status: answer.status(), type: answer.headers()['content-type'], body: await answer.body() };
  };
  const pdf = await exported({ type: 'slides' });
  expect([pdf.status, pdf.body.toString('latin1').match(/\/Type \/Page\b/g)?.length]).toEqual([200, 4]);
  const png = await exported({ type: 'png', frame_id: 'f2' });
  expect([png.type, png.body.subarray(1, 4).toString()]).toEqual(['image/png', 'PNG']);
  const svg = await exported({ type: 'svg' });
  const width = await page.evaluate(async (source) => {
    const picture = new Image();
    picture.src = `data:image/svg+xml,${encodeURIComponent(source)}`;
    await picture.decode();
    return picture.naturalWidth;
  }, svg.body.toString());
  expect(width).toBeGreaterThan(500);
  expect((await exported({ type: 'png', frame_id: 'gone' })).status).toBe(404);
  const download = page.waitForEvent('download');
  await thing(page, 'f2').locator('[data-grip]').click();
  await selection(page).getByRole('button', { name: 'Download' }).click();
  await page.getByRole('menuitem', { name: 'Drawing (.svg)' }).click();
  expect((await download).suggestedFilename()).toBe('main.svg');
  await page.goto(`/print-canvas/${project}/${file}`);
  await expect(page.getByText('Shorter meetings', { exact: true })).toBeVisible();
});

/** What a browser shows there when it opens the drawing, as red, green and blue. */
const coloursIn = (page: Page, svg: string, spots: [x: number, y: number][]): Promise<number[][]> =>
  page.evaluate(
    async ([source, places]) => {
      const picture = new Image();
      picture.src = `data:image/svg+xml,${encodeURIComponent(source)}`;
      await picture.decode();
      const canvas = Object.assign(document.createElement('canvas'), {
        width: picture.naturalWidth,
        height: picture.naturalHeight,
      });
      const context = canvas.getContext('2d');
      context?.drawImage(picture, 0, 0);
      return places.map(([x, y]) => [...(context?.getImageData(x, y, 1, 1).data ?? [])].slice(0, 3));
    },
    [svg, spots] as const,
  );

test('what scripts draw is in the drawing of a canvas and of a frame', async ({ page, signedUp: _ }) => {
  const ownScript = `<style>body { margin: 0 }</style><canvas id="own" width="290" height="130"></canvas><script>
    const pen = document.getElementById('own').getContext('2d');
    pen.fillStyle = '#8000c0';
    pen.fillRect(0, 0, 145, 130);
    pen.fillStyle = '#00a000';
    pen.fillRect(145, 0, 145, 130);
  </script>`;
  const chart = {
    data: [{ type: 'bar', x: [1], y: [1], marker: { color: '#0080ff' } }],
    layout: { margin: { t: 10, b: 20, l: 20, r: 10 }, height: 300 },
  };
  const items = {
    frame: { kind: 'frame', x: -20, y: -20, w: 380, h: 220, text: 'Own' },
    note: { kind: 'sticky', colour: 'yellow', x: 200, y: 60, w: 60, h: 60, z: 9 },
    // So far away that the whole is drawn at half its size.
    far: { kind: 'sticky', colour: 'grey', x: 6_216, y: 0, w: 100, h: 100 },
  };
  const project = await makeProject(page.request);
  const file = await makeFile(
    page.request,
    project,
    'drawn.mpsw',
    notebookWith(
      { atoll: { canvas: { items } } },
      placed(code('', 'own', shows({ 'text/html': ownScript })), 0, 0),
      placed(code('', 'chart', shows({ 'application/vnd.plotly.v1+json': chart })), 400, 0, { w: 400, h: 340 }),
    ),
  );
  const exported = async (data: object) => {
    const answer = await page.request.post(`${api}/projects/${project}/files/${file}/export`, { data });
    expect(answer.status()).toBe(200);
    return answer.body();
  };
  const [violet, green, yellow, blue] = [
    [128, 0, 192],
    [0, 160, 0],
    [255, 233, 163],
    [0, 128, 255],
  ];
  await page.goto(`/projects/${project}`);

  const frame = String(await exported({ type: 'svg', frame_id: 'frame' }));
  const inFrame: [number, number][] = [
    [100, 100],
    [300, 100],
    [250, 130],
  ];
  expect(await coloursIn(page, frame, inFrame)).toEqual([violet, green, yellow]);
  // What stands over it is not in its picture as well.
  const [, png = ''] = frame.match(/data:image\/png;base64,([^"]+)/) ?? [];
  const { data, info } = await sharp(Buffer.from(png, 'base64'))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const under = (130 - 33) * 2 * info.width + (250 - 33) * 2;
  expect([...data.subarray(under * 3, under * 3 + 3)]).toEqual(green);

  const all = String(await exported({ type: 'svg' }));
  const inAll: [number, number][] = [
    [66, 66],
    [166, 66],
    [141, 81],
    [326, 101],
  ];
  expect(await coloursIn(page, all, inAll)).toEqual([violet, green, yellow, blue]);
  expect(all).not.toContain('<iframe');
  // The same as a picture: nothing that charts are drawn in stands below it.
  const { width, height } = await sharp(await exported({ type: 'png' })).metadata();
  expect([width, height]).toEqual([6_400, 424]);
});

test('a dashboard is arranged on a grid, and is all that viewers see', async ({ page, another, signedUp: _ }) => {
  const complaints = complaintsOf(page);
  const template = { name: 'Sales', template: 'canvas-dashboard' };
  const { id: project, default_file_id: file } = await call(page.request, 'POST', '/notebooks', template);
  const path = `/projects/${project}?file=${file}`;
  const tile = (on: Page, id: string) => on.locator(`[data-tile="${id}"]`);
  await page.goto(`${path}&view=dashboard`);
  await expect(tile(page, 'title')).toHaveText('Sales');
  await expect(page.getByText('Not run yet')).toBeVisible();
  await page.getByRole('button', { name: 'Run all' }).click();
  await expect(tile(page, 'total').getByText('1,195,364')).toBeVisible(slow);

  // Dragged by more than half over the figures, resized by its corner, removed and added by keys and list.
  await page.getByRole('button', { name: 'Edit layout' }).click();
  const top = async (id: string) => Math.round((await boxOf(tile(page, id))).y);
  const trend = await boxOf(tile(page, 'trend'));
  await drag(page, { x: trend.x + 60, y: trend.y + 60 }, 0, -120);
  await expect.poll(async () => (await top('trend')) < (await top('total'))).toBe(true);
  const corner = await boxOf(tile(page, 'trend').locator('[data-resize]'));
  await drag(page, { x: corner.x + 10, y: corner.y + 10 }, 0, -120);
  await expect.poll(async () => Math.round(trend.height - (await boxOf(tile(page, 'trend'))).height)).toBe(120);
  await tile(page, 'best').focus();
  await page.keyboard.press('Delete');
  await expect(tile(page, 'best')).toHaveCount(0);
  await page.getByRole('button', { name: /^Add Code: Markdown\(f"### Best/ }).click();
  await expect(tile(page, 'best')).toBeVisible();
  await tile(page, 'best').focus();
  const wide = (await boxOf(tile(page, 'best'))).width;
  await page.keyboard.press('Alt+ArrowRight');
  await expect.poll(async () => (await boxOf(tile(page, 'best'))).width).toBeGreaterThan(wide);
  await saved(page);
  await page.getByRole('button', { name: 'Done' }).click();
  // In which order headings come, and what a chart library writes, is not ours.
  expect((await violationsOf(page)).filter((each) => !/^(heading-order|summary-name):/.test(each))).toEqual([]);

  // Who may run changes inputs there; the board is not shown.
  const { page: other, context, id: userId } = await another({ viewport: phone });
  await share(page.request, project, userId, ['view', 'view_source', 'execute']);
  await other.goto(path);
  await expect(tile(other, 'total').getByText('1,195,364')).toBeVisible();
  await expect(board(other)).toHaveCount(0);
  await expect(tile(other, 'data')).toHaveCount(0);
  const [one, next] = [await boxOf(tile(other, 'total')), await boxOf(tile(other, 'units'))];
  expect([next.x, next.width]).toEqual([one.x, one.width]);

  // Published and embedded it is the grid, too, at an address of its own.
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Type')).toHaveValue('dashboard');
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  const link = dialog.getByRole('link', { name: /\/publications\/canvases\// });
  await expect(link).toBeVisible(slow);
  const reader = await context.newPage();
  await reader.goto((await link.getAttribute('href')) ?? '');
  await expect(reader.locator('.tile', { hasText: '1,195,364' })).toBeVisible();
  await expect(reader.locator('.tile')).not.toContainText(['read_csv']);
  await expect(reader).toHaveURL(/\/publications\/canvases\//);
  const turnedOn = await call(page.request, 'PATCH', `/notebooks/${project}/files/${file}/embed`, {});
  await reader.goto(`/embed/canvas/${turnedOn.id}`);
  await expect(reader.locator('.tile', { hasText: '1,195,364' })).toBeVisible();
  await reader.close();
  await dialog.getByRole('button', { name: 'Close' }).first().click();
  await other.clock.install();
  await other.getByRole('button', { name: 'Refresh automatically' }).click();
  await other.getByRole('menuitem', { name: 'Every 30 seconds' }).click();
  await expect(other.getByText('Runs every 30 seconds')).toBeVisible();
  const count = async (): Promise<number> =>
    (await call(page.request, 'GET', `/projects/${project}/files/${file}/notebook`)).cells.at(-1).execution_count;
  const before = await count();
  await other.clock.runFor(31_000);
  await expect.poll(count, slow).toBeGreaterThan(before);
  expect(complaints).toEqual([]);
});
