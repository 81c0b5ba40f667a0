import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Publication, RemotePicture } from '@atoll/contract';
import { expect, onTestFinished, test } from 'vitest';
import { createTestApp, type TestApp } from '../../test/test-app.ts';
import { code, html, markdown, notebook, notebookIn, publish, read } from './test-publications.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

/** Another server, and what it was asked for. */
async function pictureServer(): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { url = '' } = request;
    asked.push(url);
    if (url === '/tide.png') response.end(png);
    else if (url === '/moved.png') response.writeHead(302, { location: '/tide.png?moved' }).end();
    else if (url === '/tide.png?moved') response.end(png);
    else if (url === '/inside.png') response.writeHead(302, { location: 'http://10.0.0.1/x.png' }).end();
    else if (url === '/page.png') response.end('<script>alert(1)</script>');
    else if (url === '/large.png') response.end(Buffer.concat([png, Buffer.alloc(5 * 1024 ** 2)]));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const picturesOf = async (app: TestApp, token: string, fileId: string) =>
  (await app.get<{ entries: RemotePicture[] }>(token, `/v1/publications/files/${fileId}/pictures`)).body.entries;

const names = ['tide', 'moved', 'inside', 'page', 'large', 'gone'];

test('pictures of other servers are named before, fetched where the author wants them, and links else', async () => {
  const app = await createTestApp({ env: { ATOLL_PRIVATE_TARGETS: '127.0.0.1' } });
  const ada = await app.person();
  const { url, asked } = await pictureServer();
  const [tide, ...others] = names.map((name) => `${url}/${name}.png`);
  const shown = html(`<img src="${others[0]}">`);
  const text = [tide, ...others.slice(1)].map((address, index) => `![picture ${index}](${address})`).join('\n\n');
  const { fileId } = await notebookIn(app, ada.token, notebook(markdown(text), code('x', [shown])));

  const before = await picturesOf(app, ada.token, fileId);
  expect(before.map(({ is_kept, problem }) => [is_kept, problem])).toEqual(names.map(() => [false, null]));
  const first = await publish(app, ada.token, fileId, { title: 'Far pictures', access_level: 'public' });
  const { slug } = first.body;
  const linked = (await read(app, slug)).body.html;
  expect(linked).not.toContain('<img');
  for (const address of [tide, ...others]) expect(linked).toContain(`<a href="${address}"`);
  expect(asked).toEqual([]);

  await publish(app, ada.token, fileId, { payload: { keeps_pictures: true } });
  const drawn = (await read(app, slug)).body.html;
  expect(drawn.match(/<img [^>]*src="data:image\/png;base64,iVBOR/g)).toHaveLength(2);
  const after = new Map((await picturesOf(app, ada.token, fileId)).map((each) => [each.address, each]));
  expect(names.map((name) => after.get(`${url}/${name}.png`)?.problem)).toEqual([
    null,
    null,
    'Its address is in a private network.',
    'What its server sent is no picture.',
    'It is larger than 4 MB.',
    'Its server answered with 404.',
  ]);
  expect([...after.values()].filter((each) => each.is_kept)).toHaveLength(2);

  // A version keeps what it has, and its readers ask nobody else.
  const count = asked.filter((path) => path === '/tide.png').length;
  await publish(app, ada.token, fileId, { payload: { shows_code: false } });
  expect((await read(app, slug)).body.html.match(/<img /g)).toHaveLength(2);
  expect([count, asked.filter((path) => path === '/tide.png').length]).toEqual([1, 1]);

  await publish(app, ada.token, fileId, { payload: { keeps_pictures: false } });
  expect((await read(app, slug)).body.html).not.toContain('<img');
});

test('no picture is fetched from the operator’s own network, and only those who may publish are told of them', async () => {
  const app = await createTestApp();
  const [ada, eve] = [await app.person(), await app.person()];
  const { url, asked } = await pictureServer();
  const { fileId } = await notebookIn(app, ada.token, notebook(markdown(`![x](${url}/tide.png)`)));
  const body = { title: 'Inside', access_level: 'public', payload: { keeps_pictures: true } };
  expect((await publish(app, ada.token, fileId, body)).status).toBe(200);
  expect(await picturesOf(app, ada.token, fileId)).toEqual([
    { address: `${url}/tide.png`, is_kept: false, problem: 'Its address is in a private network.' },
  ]);
  expect(asked).toEqual([]);
  expect((await app.get<Publication>(eve.token, `/v1/publications/files/${fileId}/pictures`)).status).toBe(404);
});
