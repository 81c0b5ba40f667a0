import { violationsOf } from './axe.ts';
import { board, boxOf, drag, kind, placed, selection, thing, withoutSnapping } from './board.ts';
import { complaintsOf, expect, makeFile, makeProject, phone, share, test } from './fixtures.ts';
import { code, input, notebook, notebookWith, saved, shows, slow, text } from './notebook-page.ts';

test('a canvas is made, arranged, run, undone and still there', async ({ page, signedUp: _ }) => {
  const complaints = complaintsOf(page);
  const project = await makeProject(page.request, 'Harbour', { kind: 'canvas', create_main_file: true });
  await page.goto(`/projects/${project}`);
  await expect(page.getByRole('heading', { name: 'Start your canvas' })).toBeVisible();
  await board(page).focus();

  // A note and a cell, by keys alone.
  await page.keyboard.press('n');
  await expect(page.getByRole('button', { name: 'Sticky note' })).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Ask the pilot');
  await page.keyboard.press('Escape');
  await expect(kind(page, 'sticky')).toHaveText('Ask the pilot');
  for (let turn = 0; turn < 30; turn++) await page.keyboard.press('ArrowLeft');
  const middle = await boxOf(board(page));
  await page.keyboard.press('c');
  await page.mouse.click(middle.x + middle.width / 2 + 100, middle.y + middle.height / 2);
  await page.keyboard.type('depth = 6 * 7\ndepth');
  await page.keyboard.press('Shift+Enter');
  await expect(kind(page, 'cell').getByRole('figure', { name: 'Output' })).toHaveText('42', slow);
  await page.keyboard.press('Escape');

  // Moved by pointer, back and forth.
  const note = kind(page, 'sticky');
  const before = await boxOf(note);
  await withoutSnapping(page, () => drag(page, { x: before.x + 40, y: before.y + 40 }, -60, 90));
  await expect.poll(async () => Math.round((await boxOf(note)).y - before.y)).toBe(90);
  await page.keyboard.press('Control+z');
  await expect.poll(async () => Math.round((await boxOf(note)).y - before.y)).toBe(0);
  await page.keyboard.press('Control+Shift+z');
  await expect.poll(async () => Math.round((await boxOf(note)).x - before.x)).toBe(-60);

  // Resized by a corner and by keys.
  const corner = await boxOf(page.locator('[data-handle="se"]'));
  await drag(page, { x: corner.x + 5, y: corner.y + 5 }, 50, 30);
  await expect.poll(async () => Math.round((await boxOf(note)).width - before.width)).toBe(50);
  await page.keyboard.press('Alt+ArrowRight');
  await expect.poll(async () => Math.round((await boxOf(note)).width - before.width)).toBe(66);
  await selection(page).getByRole('button', { name: 'Colour' }).click();
  await page.getByRole('menuitem', { name: 'violet' }).click();
  await expect(note.locator('[data-colour]')).toHaveAttribute('data-colour', 'violet');

  // Both at once: aligned, connected, grouped.
  await board(page).focus();
  await page.keyboard.press('Control+a');
  await selection(page).getByRole('button', { name: 'Align and distribute' }).click();
  await page.getByRole('menuitem', { name: 'Align top' }).click();
  const tops = async () => [(await boxOf(note)).y, (await boxOf(kind(page, 'cell'))).y].map(Math.round);
  await expect.poll(async () => new Set(await tops()).size).toBe(1);
  await board(page).focus();
  await page.keyboard.press('k');
  await expect(kind(page, 'arrow')).toHaveCount(1);
  const line = () => kind(page, 'arrow').locator('path').nth(1).getAttribute('d');
  const was = await line();
  await page.keyboard.press('Escape');
  const at = await boxOf(note);
  await withoutSnapping(page, () => drag(page, { x: at.x + 30, y: at.y + 30 }, 0, 120));
  await expect.poll(line).not.toBe(was);
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+g');
  await page.keyboard.press('Escape');
  await note.click();
  await expect(page.locator('[data-thing][data-selected]')).toHaveCount(3);

  // Locked: it cannot be moved or deleted; unlocked again.
  await page.keyboard.press('Control+Shift+l');
  await expect(page.locator('[data-handle]')).toHaveCount(0);
  await page.keyboard.press('Delete');
  await expect(note).toBeVisible();
  await page.keyboard.press('Control+Shift+l');
  await page.keyboard.press('Control+d');
  await expect(kind(page, 'sticky')).toHaveCount(2);
  await page.keyboard.press('Delete');
  await expect(kind(page, 'sticky')).toHaveCount(1);
  await page.keyboard.press('Control+z');
  await expect(kind(page, 'sticky')).toHaveCount(2);
  await page.keyboard.press('Control+Shift+z');
  await expect(kind(page, 'sticky')).toHaveCount(1);

  // Drawn, found, copied and pasted.
  await page.keyboard.press('p');
  await drag(page, { x: middle.x + 200, y: middle.y + 120 }, 160, 60);
  await expect(kind(page, 'drawing')).toHaveCount(1);
  await page.keyboard.press('v');
  await page.keyboard.press('Control+f');
  await page.getByRole('textbox', { name: 'Find on the canvas' }).fill('pilot');
  await expect(page.getByText('1 of 1')).toBeVisible();
  await page.keyboard.press('Escape');
  await saved(page);
  await page.mouse.move(0, 0);
  await expect(page.getByRole('tooltip')).toHaveCount(0);
  expect(await violationsOf(page)).toEqual([]);

  // The same document as a notebook, and back: nothing is lost.
  await page.getByText('Notebook', { exact: true }).click();
  await expect(page.getByRole('figure', { name: 'Output' })).toHaveText('42');
  await page.getByText('Canvas', { exact: true }).click();
  await expect(note).toHaveText('Ask the pilot');
  await page.reload();
  await expect(note).toHaveText('Ask the pilot');
  await expect(kind(page, 'arrow')).toHaveCount(1);
  await expect(kind(page, 'cell').getByRole('figure', { name: 'Output' })).toHaveText('42');
  expect(complaints).toEqual([]);
});

test('any notebook is shown as a canvas; bad layouts are mended, and what has no place is listed', async ({
  page,
  signedUp: _,
}) => {
  const project = await makeProject(page.request);
  const plain = await makeFile(
    page.request,
    project,
    'plain.ipynb',
    notebook(text('# Tides', 'a'), code('1', 'b'), code('2', 'c')),
  );
  await page.goto(`/projects/${project}?file=${plain}&view=board`);
  await expect(thing(page, 'a').getByRole('heading', { name: 'Tides' })).toBeVisible();
  // Looking at it has written nothing; the first move writes the places of all.
  const head = await boxOf(thing(page, 'b').locator('header'));
  await withoutSnapping(page, () => drag(page, { x: head.x + 60, y: head.y + 10 }, 300, 40));
  await saved(page);
  await page.reload();
  await expect(thing(page, 'c')).toBeVisible();
  expect((await boxOf(thing(page, 'b'))).x - (await boxOf(thing(page, 'a'))).x).toBeGreaterThan(100);

  const items = {
    later: { kind: 'hologram', x: 40, y: 300 },
    huge: { kind: 'sticky', x: 1e300, y: -1e300, text: 'Far away' },
    wrong: { kind: 'sticky', x: 'left', w: -4, text: 'Mended' },
    loose: { kind: 'arrow', from: { on: 'gone', x: 10, y: 10 }, to: { on: 'a', x: 0, y: 0 } },
  };
  const cells = [placed(text('Here', 'a'), 300, 0), code('nowhere = 1', 'lost')];
  const file = await makeFile(
    page.request,
    project,
    'bad.mpsw',
    notebookWith({ atoll: { canvas: { items } } }, ...cells),
  );
  await page.goto(`/projects/${project}?file=${file}`);
  await expect(thing(page, 'wrong')).toHaveText('Mended');
  await expect(kind(page, 'arrow')).toHaveCount(1);
  await expect(kind(page, 'unknown')).toHaveCount(1);
  await page.getByRole('button', { name: /^Add Code cell to the canvas/ }).click();
  await expect(thing(page, 'lost')).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'Cells not on the canvas' })).toHaveCount(0);
  await expect(thing(page, 'later')).toContainText('newer version');

  // Pictures are dropped where the pointer is, and pasted; what is none is refused in words.
  const carried = (type: string) =>
    page.evaluateHandle((kind) => {
      const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
      const transfer = new DataTransfer();
      transfer.items.add(
        new File([Uint8Array.from(atob(dot), (each) => each.charCodeAt(0))], 'dot.png', { type: kind }),
      );
      return transfer;
    }, type);
  const { x, y } = await boxOf(board(page));
  const dataTransfer = await carried('image/png');
  await board(page).dispatchEvent('drop', { dataTransfer, clientX: x + 200, clientY: y + 300 });
  const pictures = kind(page, 'cell').locator('img');
  await expect(pictures).toHaveCount(1);
  await board(page).focus();
  await page.evaluate(
    (clipboardData) => dispatchEvent(new ClipboardEvent('paste', { clipboardData })),
    await carried('image/png'),
  );
  await expect(pictures).toHaveCount(2);
  await board(page).dispatchEvent('drop', { dataTransfer: await carried('text/plain') });
  await expect(page.getByText('Only PNG, JPEG, GIF and WebP pictures')).toBeVisible();

  // The board's own keys are in the list of keys.
  await board(page).focus();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog').getByText('Show or hide dependencies')).toBeVisible();
  await expect(page.getByRole('dialog').getByText('Run and go to the next cell')).toHaveCount(0);
});

test('people on one canvas see each other, and may do what they may', async ({ page, another, signedUp: _ }) => {
  const project = await makeProject(page.request);
  const tide = { name: 'tide', value: 2, kind: 'number', label: 'Tide' };
  const file = await makeFile(
    page.request,
    project,
    'board.mpsw',
    notebookWith(
      { atoll: { canvas: { items: { note: { kind: 'sticky', x: 0, y: 220, text: 'Together' } } } } },
      placed(input(tide, 'in'), 0, 0),
      placed(code('print(tide)', 'out'), 380, 0),
    ),
  );
  const path = `/projects/${project}?file=${file}`;
  const { page: other, id: userId } = await another();
  await share(page.request, project, userId, ['view', 'view_source', 'execute']);
  await page.goto(path);
  await other.goto(path);
  await expect(thing(other, 'note')).toHaveText('Together');
  await expect(other.getByRole('toolbar', { name: 'Tools' })).toHaveCount(0);

  // While it is dragged the other sees it move, and whose pointer that is.
  const before = await boxOf(thing(other, 'note'));
  const here = await boxOf(thing(page, 'note'));
  await page.mouse.move(here.x + 40, here.y + 40);
  await page.mouse.down();
  await page.mouse.move(here.x + 100, here.y + 80);
  await page.mouse.move(here.x + 240, here.y + 120, { steps: 4 });
  await expect.poll(async () => (await boxOf(thing(other, 'note'))).x - before.x).toBeGreaterThan(100);
  await expect(other.locator('[data-person]')).toContainText('Ada');
  await page.mouse.up();
  await expect.poll(async () => (await boxOf(thing(other, 'note'))).y - before.y).toBeGreaterThan(40);

  // Who may only run sets inputs, and moves nothing.
  await thing(other, 'in').getByRole('textbox').fill('5');
  await thing(other, 'in').getByRole('textbox').press('Enter');
  await thing(other, 'in').getByRole('button', { name: 'Run cell' }).click();
  await thing(other, 'out').getByRole('button', { name: 'Run cell' }).click();
  await expect(thing(page, 'out').getByRole('figure', { name: 'Output' })).toHaveText('5', slow);
  const still = await boxOf(thing(other, 'note'));
  await drag(other, { x: still.x + 40, y: still.y + 40 }, 120, 0);
  expect(await boxOf(thing(other, 'note'))).toEqual(still);

  // Comments are pinned to an item and to a spot, and seen by the others there.
  await thing(page, 'note').click();
  await selection(page).getByRole('button', { name: 'Comment' }).click();
  const write = page.getByRole('complementary', { name: 'comments' }).getByRole('textbox');
  await write.fill('Which tide?');
  await write.press('Control+Enter');
  await expect(thing(other, 'note').getByRole('button', { name: '1 comment on an item' })).toBeVisible();
  const corner = await boxOf(board(page));
  await board(page).focus();
  await page.keyboard.press('o');
  await page.mouse.click(corner.x + 90, corner.y + corner.height - 120);
  await write.fill('Put a chart here');
  await write.press('Control+Enter');
  await other.getByRole('button', { name: '1 comment on a spot' }).click();
  await expect(other.getByText('Put a chart here')).toBeVisible();
  await expect(other.getByText('Which tide?')).toHaveCount(0);
  await page.getByRole('complementary', { name: 'comments' }).getByRole('button', { name: 'Close' }).click();
  await other.getByRole('complementary', { name: 'comments' }).getByRole('button', { name: 'Close' }).click();

  // What code uses is shown on demand, and follows a cell that is moved.
  const link = other.locator('[data-from="in"][data-to="out"]');
  await expect(link).toHaveCount(0);
  await other.getByRole('button', { name: 'Dependencies' }).click();
  await expect(link).toContainText('tide');
  const drawn = await link.locator('path').first().getAttribute('d');
  await thing(page, 'out').locator('header').click();
  await page.keyboard.press('ArrowDown');
  await expect(link.locator('path').first()).not.toHaveAttribute('d', drawn ?? '');

  // Follows where the other looks.
  await other.getByRole('button', { name: /^Follow Ada/ }).click();
  await thing(page, 'out').locator('header').click();
  await page.keyboard.press('Shift+Digit2');
  await expect.poll(async () => (await boxOf(thing(other, 'out'))).width).toBeGreaterThan(500);
});

test('on a phone a canvas is panned, zoomed and chosen with fingers', async ({ another }) => {
  const { page, context } = await another({ viewport: phone, hasTouch: true, isMobile: true });
  const project = await makeProject(page.request);
  const content = notebookWith({}, placed(text('# Low water', 'a'), 0, 0), placed(code('1', 'b'), 400, 0));
  const file = await makeFile(page.request, project, 'board.mpsw', content);
  await page.goto(`/projects/${project}?file=${file}`);
  await expect(thing(page, 'a')).toBeVisible();
  // All of the header is within reach.
  const panels = await boxOf(page.getByRole('button', { name: 'Panels' }));
  expect(panels.x + panels.width).toBeLessThanOrEqual(390);
  await page.getByRole('button', { name: 'Panels' }).tap();
  await expect(page.getByRole('menuitem', { name: 'Version history' })).toBeVisible();
  await page.keyboard.press('Escape');
  const client = await context.newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: [number, number][]) =>
    client.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  const before = await boxOf(thing(page, 'a'));
  await touch('touchStart', [200, 600]);
  await touch('touchMove', [200, 560]);
  await touch('touchMove', [200, 500]);
  await touch('touchEnd');
  await expect.poll(async () => Math.round((await boxOf(thing(page, 'a'))).y - before.y)).toBe(-100);
  await touch('touchStart', [150, 600], [250, 600]);
  await touch('touchMove', [125, 600], [275, 600]);
  await touch('touchMove', [100, 600], [300, 600]);
  await touch('touchEnd');
  const zoomed = async () => (await boxOf(thing(page, 'a'))).width / before.width;
  await expect.poll(zoomed).toBeGreaterThan(1.8);
  // The browser makes no click of a tap that comes too soon after a pinch.
  await expect(async () => {
    await page.getByRole('button', { name: 'Fit to screen' }).tap();
    await expect.poll(zoomed, { timeout: 1_000 }).toBeLessThan(1.5);
  }).toPass();
  await thing(page, 'b').tap({ position: { x: 40, y: 6 } });
  await expect(selection(page)).toBeVisible();
  const bar = await boxOf(selection(page));
  expect(bar.x).toBeGreaterThanOrEqual(0);
  expect(bar.x + bar.width).toBeLessThanOrEqual(390);
});

test('while zooming a box stands for what comes into sight; live output keeps its state', async ({
  page,
  signedUp: _,
}) => {
  await page.clock.install();
  const project = await makeProject(page.request);
  const form = '<input aria-label="Depth"><script>document.querySelector("input").value = "unread"</script>';
  const items = { note: { kind: 'sticky', colour: 'yellow', text: 'Far away', x: 6_000, y: 3_000, w: 200, h: 200 } };
  const content = notebookWith(
    { atoll: { canvas: { items } } },
    placed(code('form', 'live', shows({ 'text/html': form })), 0, 0, { h: 300 }),
    placed(code('chart', 'far'), 6_000, 2_000),
  );
  const file = await makeFile(page.request, project, 'board.mpsw', content);
  await page.addInitScript(([key]) => localStorage.setItem(key, JSON.stringify({ x: 300, y: 200, zoom: 1 })), [
    `board_view:${file}`,
  ] as const);
  await page.goto(`/projects/${project}?file=${file}`);
  const depth = thing(page, 'live').locator('iframe').contentFrame().getByLabel('Depth');
  await expect(depth).toHaveValue('unread');
  await depth.evaluate((field: HTMLInputElement) => {
    field.value = '4 fathoms';
  });
  await expect(thing(page, 'note')).toBeAttached();
  await expect(thing(page, 'note')).toHaveAttribute('data-hidden');

  // From here on only this test moves the clock: the board rests 150 ms after the last step.
  await page.clock.pauseAt(new Date(await page.evaluate(() => Date.now() + 1_000)));
  await page.mouse.move(700, 300);
  await page.keyboard.down('Control');
  // Further than it goes: at its limit a step changes nothing, and is still one.
  for (let step = 0; step < 10; step++) await page.mouse.wheel(0, 60);
  await page.keyboard.up('Control');
  await expect(page.getByRole('button', { name: 'Zoom: 5%' })).toBeAttached();
  await page.clock.runFor(100);
  for (const id of ['note', 'far']) {
    await expect(thing(page, id)).toHaveAttribute('data-hidden');
    await expect(thing(page, id)).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
    await expect(thing(page, id)).toBeEmpty();
  }
  await expect(thing(page, 'live').locator('article')).not.toHaveAttribute('data-low');

  // At rest it is drawn, from afar as a picture.
  await page.clock.runFor(1_000);
  await expect(thing(page, 'note')).toHaveText('Far away');
  for (const id of ['live', 'far']) await expect(thing(page, id).locator('article')).toHaveAttribute('data-low');
  await expect(thing(page, 'live').locator('iframe')).toBeHidden();

  await page.clock.resume();
  await page.keyboard.down('Control');
  for (let step = 0; step < 5; step++) await page.mouse.wheel(0, -60);
  await page.keyboard.up('Control');
  await expect(thing(page, 'live').locator('article')).not.toHaveAttribute('data-low');
  await expect(depth).toBeVisible();
  // Loaded again, it would be unread.
  await expect(depth).toHaveValue('4 fathoms');
});
