// A page that is printed: it draws what needs a script, and says of each of its parts that it is drawn, empty or failed. The
// renderer waits for that, and for nothing else.
const readable = 0.45;
const smallest = 0.3;
/** Numbers, dates and times are not broken into lines. */
const isFigure = /^\s*[-+(]?[$€£¥]?\d[\d\s.,:/()%TZe+-]{0,24}\s*$/;

const cells = [...document.querySelectorAll('.cell[data-cell]')];
const state = { isReady: false, expected: cells.map(idOf), drawn: [], empty: [], failed: [], tallest: null };

function idOf(cell) {
  return cell.dataset.cell;
}

function tell() {
  document.documentElement.dataset.print = state.isReady ? 'ready' : 'drawing';
  window.reportPrintState?.(state);
}

const hasContent = (cell) => cell.textContent.trim() !== '' || cell.querySelector('img, svg, iframe, hr') !== null;

async function drawPicture(image) {
  await image.decode().catch(() => {
    throw new Error('A picture of it cannot be read.');
  });
}

async function drawChart(data) {
  const place = data.parentElement;
  const { chartPicture, drawHtml } = await library;
  const given = JSON.parse(data.text);
  if (data.dataset.chart === 'html') return drawHtml(given, place, innerHeight);
  const picture = await chartPicture(data.dataset.chart, given, place.clientWidth);
  const box = document.createElement('div');
  box.className = 'chart';
  box.append(picture);
  place.replaceChildren(box);
  await drawPicture(picture);
}

/** It is no cell, and missing as much as one. */
async function drawCover(image) {
  try {
    await drawPicture(image);
  } catch {
    image.remove();
    state.failed.push({ cellId: 'cover', reason: 'The cover picture cannot be read.' });
  }
}

async function drawCell(cell) {
  try {
    const charts = [...cell.querySelectorAll('script[data-chart]')];
    await Promise.all([...charts.map(drawChart), ...[...cell.querySelectorAll('img')].map(drawPicture)]);
    state[hasContent(cell) ? 'drawn' : 'empty'].push(idOf(cell));
  } catch (error) {
    // What stands for a chart says nothing more.
    for (const unread of cell.querySelectorAll('.note, iframe')) unread.remove();
    const note = document.createElement('p');
    note.className = 'failed';
    note.textContent = `This could not be drawn: ${error.message}`;
    cell.append(note);
    state.failed.push({ cellId: idOf(cell), reason: error.message });
  }
  tell();
}

/** On paper nothing scrolls: what is wider than the page is made smaller, short things stay whole. */
function fit() {
  const body = document.querySelector('.article-body');
  const [width, page] = [body.clientWidth, innerHeight];
  for (const cell of body.querySelectorAll('td')) if (isFigure.test(cell.textContent)) cell.style.whiteSpace = 'nowrap';
  for (const element of body.querySelectorAll('table, pre, .formula')) {
    const isShort = element.getBoundingClientRect().height < page / 3;
    if (isShort) element.classList.add('short');
    if (element.scrollWidth > width) element.classList.add('wide');
    // Words are broken only where the table would be too small to read.
    if (element.scrollWidth > width / readable) element.classList.add('narrow');
    const needed = element.scrollWidth;
    if (needed > width + 1) element.style.zoom = Math.max(smallest, width / needed);
  }
}

/** What of an element is not cut off around it, in whole pixels of the window. */
function inSight(element) {
  let { left, top, right, bottom } = element.getBoundingClientRect();
  for (let around = element.parentElement; around; around = around.parentElement) {
    if (getComputedStyle(around).overflow === 'visible') continue;
    const edge = around.getBoundingClientRect();
    [left, top] = [Math.max(left, edge.left), Math.max(top, edge.top)];
    [right, bottom] = [Math.min(right, edge.right), Math.min(bottom, edge.bottom)];
  }
  [left, top] = [Math.max(0, Math.floor(left)), Math.max(0, Math.floor(top))];
  return { x: left, y: top, width: Math.ceil(right) - left, height: Math.ceil(bottom) - top };
}

/** For the renderer: a file holds no frames, so a picture of each takes its place. */
function stillsOf(frames) {
  return {
    count: frames.length,
    /** Above all that stands over it. Null where nothing of it is seen. */
    raise(at) {
      Object.assign(frames[at].style, { position: 'relative', zIndex: 2_147_483_647 });
      const box = inSight(frames[at]);
      return box.width > 0 && box.height > 0 ? box : null;
    },
    replace(at, png) {
      const frame = frames[at];
      const [whole, seen, zoom] = [frame.getBoundingClientRect(), inSight(frame), frame.parentElement.currentCSSZoom];
      const lengths = (sizes) =>
        Object.fromEntries(Object.entries(sizes).map(([name, value]) => [name, `${value / zoom}px`]));
      const place = document.createElement('div');
      const { width, height } = whole;
      Object.assign(place.style, { position: 'relative', overflow: 'hidden' }, lengths({ width, height }));
      if (png) {
        const picture = new Image();
        picture.alt = frame.title;
        picture.src = `data:image/png;base64,${png}`;
        const at = { left: seen.x - whole.left, top: seen.y - whole.top, width: seen.width, height: seen.height };
        Object.assign(picture.style, { position: 'absolute', maxWidth: 'none' }, lengths(at));
        place.append(picture);
      }
      frame.replaceWith(place);
    },
    xhtml() {
      const article = document.querySelector('.article-body');
      for (const script of article.querySelectorAll('script')) script.remove();
      return new XMLSerializer().serializeToString(article);
    },
  };
}

const missing = () => Promise.reject(new Error('What draws charts could not be loaded.'));
const library = import('/assets/print-parts.js').catch(() => ({
  chartPicture: missing,
  drawHtml: missing,
}));

if ('CSSMarginRule' in window) document.documentElement.classList.add('has-margin-boxes');
tell();
await library;
await Promise.all([...cells.map(drawCell), ...[...document.querySelectorAll('.cover')].map(drawCover)]);
await document.fonts.ready;
fit();
const heightOf = (cell) => cell.getBoundingClientRect().height;
state.tallest =
  cells.length > 0 ? idOf(cells.reduce((one, other) => (heightOf(other) > heightOf(one) ? other : one))) : null;
window.stills = stillsOf([...document.querySelectorAll('.output-frame')]);
state.isReady = true;
tell();
