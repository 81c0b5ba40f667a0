import { buffer } from 'node:stream/consumers';
import type { Directory, FileVersion, ProjectFile } from '@atoll/contract';
import { describe, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { createTestApp } from '../../test/test-app.ts';

interface Tree {
  files: ProjectFile[];
  directories: Directory[];
}

async function setUp() {
  const app = await createTestApp();
  const { token } = await app.person('ada');
  const { id } = await app.project(token);
  const base = `/v1/notebooks/${id}`;
  const tree = async () => (await app.call<Tree>('GET', `${base}/files-dirs`, { token })).body;
  const paths = async () => {
    const { files, directories } = await tree();
    return [...directories.map(({ path }) => `${path}/`), ...files.map(({ path }) => path)].sort();
  };
  const create = (name: string, content?: string) =>
    (async () => {
      const upload_id = content === undefined ? undefined : await app.upload(token, content, name.split('/').at(-1));
      return app.call<ProjectFile>('POST', `${base}/files-contents`, { token, body: { name, upload_id } });
    })();
  const save = async (file: ProjectFile, content: string, body: object = {}) =>
    app.patch<ProjectFile>(token, `${base}/files-contents/${file.id}`, {
      upload_id: await app.upload(token, content),
      base_version: file.version,
      ...body,
    });
  const read = async (file: { content_url: string }, suffix = '') =>
    (await app.call<string>('GET', file.content_url + suffix, { token })).body;
  return { ...app, token, id, base, tree, paths, create, save, read };
}

describe('files', () => {
  test('are made of uploads only, with folders on the way, and read back', async () => {
    const { create, paths, read, call, base, token } = await setUp();
    const made = await create('data/raw/notes.md', '# Hello');
    expect(made.body).toMatchObject({
      path: 'data/raw/notes.md',
      name: 'notes.md',
      language: 'markdown',
      version: 1,
      size: 7,
      type: 'generic',
    });
    expect(await read(made.body)).toBe('# Hello');
    expect(await paths()).toEqual(['data/', 'data/raw/', 'data/raw/notes.md']);
    expect((await create('empty.py')).body).toMatchObject({ size: 0, type: 'script', language: 'python' });
    const direct = await call('POST', `${base}/files-contents`, { token, body: { name: 'x', content: 'direct' } });
    expect(direct.status).toBe(422);
  });

  test('mime types follow the extension, the rest is plain text', async () => {
    const { create } = await setUp();
    for (const [name, type] of [
      ['a.svg', 'image/svg+xml'],
      ['b.JPG', 'image/jpeg'],
      ['c.csv', 'text/csv'],
      ['d.weird', 'text/plain'],
    ] as const) {
      expect((await create(name)).body.mime_type).toBe(type);
    }
  });

  test.each([
    '../up',
    '/etc/passwd/..',
    'a/../b',
    'a\\b',
    'CON',
    'nul.txt',
    'x'.repeat(201),
    `${'a/'.repeat(21)}b`,
    'trailing.',
    ' lead',
    'a\u202Eb',
    'a:b',
    '',
  ])('the name %j is refused at its field', async (name) => {
    const { create } = await setUp();
    const answer = await create(name);
    expect(answer.status).toBe(422);
    expect(Object.keys((answer.body as unknown as { fields: object }).fields)).toEqual(['name']);
  });

  test('two names that differ by case only collide, as do a file and a folder', async () => {
    const { create, call, base, token } = await setUp();
    await create('Data.csv', 'x');
    expect((await create('data.CSV', 'y')).status).toBe(422);
    await call('POST', `${base}/files-dirs`, { token, body: { path: 'folder/' } });
    expect((await create('Folder')).status).toBe(422);
    expect((await create('data.csv/inside')).status).toBe(422);
    expect((await call('POST', `${base}/files-dirs`, { token, body: { path: 'DATA.csv' } })).status).toBe(422);
  });

  test('move and rename, folders with everything in them', async () => {
    const { create, call, base, token, paths } = await setUp();
    await create('a/one.txt', '1');
    await create('a/deep/two.txt', '2');
    await create('ab.txt', '3');
    const move = (from: string, to: string) => call('PATCH', `${base}/files-dirs`, { token, body: { from, to } });
    expect((await move('a', 'b/moved/')).status).toBe(200);
    expect(await paths()).toEqual([
      'ab.txt',
      'b/',
      'b/moved/',
      'b/moved/deep/',
      'b/moved/deep/two.txt',
      'b/moved/one.txt',
    ]);
    expect((await move('b', 'b/moved/inside')).status).toBe(422);
    expect((await move('nothing', 'x')).status).toBe(404);
    expect((await move('ab.txt', 'b/moved/one.txt')).status).toBe(422);
    expect((await move('ab.txt', 'AB.txt')).status).toBe(200);
    expect(await paths()).toContain('AB.txt');
  });

  test('are of the language their name says, however they were renamed', async () => {
    const { create, call, base, token } = await setUp();
    const { id } = (await create('src/load.txt', 'x')).body;
    const move = (from: string, to: string) => call('PATCH', `${base}/files-dirs`, { token, body: { from, to } });
    const language = async () => (await call<ProjectFile>('GET', `${base}/files/${id}`, { token })).body.language;
    await move('src/load.txt', 'src/load.py');
    expect(await language()).toBe('python');
    await call('PATCH', `${base}/files-contents/${id}`, { token, body: { language: 'r' } });
    await move('src', 'lib');
    expect(await language()).toBe('r');
    await move('lib/load.py', 'lib/load.sql');
    expect(await language()).toBe('sql');
  });

  test('wildcards in a folder name are only characters', async () => {
    const { create, call, base, token, paths } = await setUp();
    await create('100%_done/a.txt', '1');
    await create('100xydone/b.txt', '2');
    await call('DELETE', `${base}/files-dirs`, { token, body: { paths: ['100%_done'] } });
    expect(await paths()).toEqual(['100xydone/', '100xydone/b.txt']);
  });

  test('deleting can be undone, beside a newcomer too', async () => {
    const { create, call, base, token, paths } = await setUp();
    const file = (await create('dir/a.txt', 'one')).body;
    const deleted = await call<{ file_ids: string[] }>('DELETE', `${base}/files-dirs`, {
      token,
      body: { paths: ['dir'] },
    });
    expect(deleted.body.file_ids).toEqual([file.id]);
    expect(await paths()).toEqual([]);
    expect((await call('GET', `${base}/files/${file.id}`, { token })).status).toBe(404);
    await create('dir/a.txt', 'two');
    const restored = await call<ProjectFile>('POST', `${base}/files/${file.id}/restore`, { token });
    expect(restored.body.path).toBe('dir/a copy.txt');
    expect(await paths()).toEqual(['dir/', 'dir/a copy.txt', 'dir/a.txt']);
  });

  test('are duplicated beside themselves', async () => {
    const { create, call, base, token, paths } = await setUp();
    const file = (await create('a.tar.gz', 'x')).body;
    for (let count = 0; count < 2; count++) await call('PUT', `${base}/files/${file.id}/duplicate`, { token });
    expect(await paths()).toEqual(['a.tar copy 2.gz', 'a.tar copy.gz', 'a.tar.gz']);
  });

  test('belong to their project: an id from another one is not found', async () => {
    const { create, call, token, project } = await setUp();
    const file = (await create('a.txt', 'x')).body;
    const other = await project(token, { name: 'Other' });
    for (const [method, path] of [
      ['GET', `files/${file.id}`],
      ['DELETE', `files/${file.id}`],
      ['GET', `file_raw_contents/${file.id}`],
      ['GET', `files/${file.id}/versions`],
    ] as const) {
      expect((await call(method, `/v1/notebooks/${other.id}/${path}`, { token })).status, path).toBe(404);
    }
  });
});

describe('versions', () => {
  test('one for each sitting, named ones stay, and an old one comes back without losing the new', async () => {
    const { create, save, call, base, token, clock, read } = await setUp();
    let file = (await create('a.txt', 'one')).body;
    const versions = async () =>
      (await call<{ entries: FileVersion[]; total: number }>('GET', `${base}/files/${file.id}/versions`, { token }))
        .body;
    file = (await save(file, 'two', { is_manual: false })).body;
    file = (await save(file, 'three', { is_manual: false })).body;
    expect(file.version).toBe(3);
    expect((await versions()).entries.map((version) => version.version)).toEqual([3, 1]);
    clock.advance(6 * 60_000);
    file = (await save(file, 'four', { version_name: 'Before lunch' })).body;
    file = (await save(file, 'five', { is_manual: false })).body;
    const { entries, total } = await versions();
    expect(entries.map(({ version, name }) => [version, name])).toEqual([
      [5, null],
      [4, 'Before lunch'],
      [3, null],
      [1, null],
    ]);
    expect(total).toBe(4);
    expect(entries[0]?.author?.user_name).toBe('ada');
    const oldest = entries[3];
    expect(oldest && (await read(oldest))).toBe('one');
    const restored = await call<ProjectFile>('POST', `${base}/files/${file.id}/versions/${oldest?.id}/restore`, {
      token,
    });
    expect(restored.body.version).toBe(6);
    expect(await read(restored.body)).toBe('one');
    expect((await versions()).entries[0]?.name).toBe('Restored from version 1');
  });

  test('what is saved by hand stays, and only automatic saves become one', async () => {
    const { create, save, call, base, token } = await setUp();
    let file = (await create('a.txt', 'one')).body;
    const versions = async () =>
      (await call<{ entries: FileVersion[] }>('GET', `${base}/files/${file.id}/versions`, { token })).body.entries.map(
        ({ version }) => version,
      );
    for (const text of ['two', 'three']) file = (await save(file, text)).body;
    expect(await versions()).toEqual([3, 2, 1]);
    for (const text of ['four', 'five']) file = (await save(file, text, { is_manual: false })).body;
    expect(await versions()).toEqual([5, 3, 2, 1]);
    await call('PATCH', `${base}/files-contents/${file.id}`, { token, body: { is_manual: true } });
    file = (await save(file, 'six', { is_manual: false })).body;
    expect(await versions()).toEqual([6, 5, 3, 2, 1]);
    file = (await save(file, 'seven')).body;
    expect(await versions()).toEqual([7, 5, 3, 2, 1]);
  });

  test('earlier contents need the right to see the history', async () => {
    const { create, save, call, person, base, token } = await setUp();
    const first = (await create('a.csv', 'x\n1\n')).body;
    const second = (await save(first, 'x\n2\n')).body;
    const eve = await person();
    const grant = (permissions: string[]) =>
      call('POST', `${base}/user_permissions`, { token, body: { user_id: eve.id, permissions } });
    const statuses = async (versionId: string) => {
      const query = { version_id: versionId };
      const raw = await call('GET', `${base}/file_raw_contents/${first.id}`, { token: eve.token, query });
      const data = await call('GET', `${base}/files/${first.id}/data`, { token: eve.token, query });
      return [raw.status, data.status];
    };
    await grant(['view_source']);
    expect(await statuses(second.version_id)).toEqual([200, 200]);
    expect(await statuses(first.version_id)).toEqual([403, 403]);
    await grant(['view_history']);
    expect(await statuses(first.version_id)).toEqual([200, 200]);
  });

  test('saving over what one has not seen is refused, and nothing is lost', async () => {
    const { create, save, read } = await setUp();
    const file = (await create('a.txt', 'one')).body;
    const mine = await save(file, 'mine', { base_version: 1 });
    expect(mine.status).toBe(200);
    const theirs = await save(file, 'theirs', { base_version: 1 });
    expect(theirs.status).toBe(409);
    expect((theirs.body as unknown as { details: object }).details).toMatchObject({ version: 2 });
    expect(await read(file)).toBe('mine');
    expect((await save(file, 'merged', { base_version: 2 })).status).toBe(200);
  });

  test('of two savings at once exactly one wins', async () => {
    const { create, upload, call, base, token } = await setUp();
    const file = (await create('a.txt', 'one')).body;
    const ids = [await upload(token, 'A'), await upload(token, 'B'), await upload(token, 'C')];
    const answers = await Promise.all(
      ids.map((upload_id) =>
        call('PATCH', `${base}/files-contents/${file.id}`, { token, body: { upload_id, base_version: 1 } }),
      ),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409]);
  });
});

describe('raw contents', () => {
  test('cannot run as our origin: sandboxed, never sniffed, unknown types saved', async () => {
    const { create, call, token } = await setUp();
    const page = (await create('page.html', '<script>1</script>')).body;
    const shown = await call('GET', page.content_url, { token });
    expect(shown.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(shown.headers['content-security-policy']).toMatch(/^sandbox allow-scripts;/);
    expect(String(shown.headers['content-security-policy'])).not.toContain('allow-same-origin');
    const svg = await call('GET', (await create('x.svg', '<svg/>')).body.content_url, { token });
    expect(svg.headers['content-security-policy']).toMatch(/^sandbox/);
    const framed = (site: string) =>
      call('GET', page.content_url, { token, headers: { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': site } });
    expect((await framed('same-origin')).headers['content-disposition']).toBeUndefined();
    for (const { headers } of [shown, await framed('cross-site')])
      expect(headers['content-disposition']).toMatch(/^attachment/);
    const saved = await call('GET', `${page.content_url}?download=1`, { token });
    expect(saved.headers['content-disposition']).toBe("attachment; filename*=UTF-8''page.html");
    expect((await call('GET', page.content_url)).status).toBe(404);
  });

  test('a project is downloaded as a zip with its folders', async () => {
    const { create, app, base, token } = await setUp();
    await create('a.txt', 'one');
    await create('dir/b.txt', 'two');
    const zip = await app.http.inject({
      method: 'GET',
      url: `/api/atoll${base}/archive`,
      headers: { authorization: `Bearer ${token}` },
    });
    expect(zip.headers['content-type']).toBe('application/zip');
    const names = zip.rawPayload.toString('latin1');
    for (const name of ['a.txt', 'dir/', 'dir/b.txt']) expect(names).toContain(name);
    const part = await app.http.inject({
      method: 'GET',
      url: `/api/atoll${base}/archive?paths[]=dir`,
      headers: { authorization: `Bearer ${token}` },
    });
    expect(part.rawPayload.toString('latin1')).not.toContain('a.txt');
  });
});

describe('importing', () => {
  async function zipOf(entries: Record<string, string>, options: Record<string, { mode: number }> = {}) {
    const zip = new ZipFile();
    for (const [name, content] of Object.entries(entries)) zip.addBuffer(Buffer.from(content), name, options[name]);
    zip.end();
    return buffer(zip.outputStream);
  }
  const notebook = JSON.stringify({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 });

  test('a notebook or a zip becomes a project', async () => {
    const { upload, project, token, call } = await setUp();
    const single = await project(token, { name: 'One', upload_id: await upload(token, notebook, 'my.ipynb') });
    expect(single.default_file_id).not.toBeNull();
    const content = await zipOf({
      'repo/main.ipynb': notebook,
      'repo/data/a.csv': 'a,b\n1,2\n',
      '__MACOSX/x': 'noise',
    });
    const unpacked = await project(token, { name: 'Two', upload_id: await upload(token, content, 'repo.zip') });
    const tree = await call<Tree>('GET', `/v1/notebooks/${unpacked.id}/files-dirs`, { token });
    expect(tree.body.files.map((file) => file.path)).toEqual(['data/a.csv', 'main.ipynb']);
    expect(unpacked.default_file_id).toBe(tree.body.files.find((file) => file.path === 'main.ipynb')?.id);
  });

  test('links, bombs, climbing names, damage and other files are refused, and no project is left behind', async () => {
    const { upload, token, call } = await setUp();
    const link = await zipOf({ link: '/etc/passwd' }, { link: { mode: 0o120777 } });
    const bomb = await zipOf({ 'bomb.txt': '0'.repeat(20_000_000) });
    const collision = await zipOf({ 'a.txt': '1', 'A.TXT': '2' });
    const reserved = await zipOf({ CON: '1' });
    const climbing = Buffer.from(
      (await zipOf({ 'aa/b.txt': 'x' })).toString('latin1').replaceAll('aa/b.txt', '../b.txt'),
      'latin1',
    );
    for (const [content, name] of [
      [link, 'l.zip'],
      [bomb, 'b.zip'],
      [collision, 'c.zip'],
      [reserved, 'r.zip'],
      [climbing, 'u.zip'],
      [Buffer.from('PK nonsense'), 'd.zip'],
      [Buffer.from('x'), 'x.exe'],
    ] as const) {
      const answer = await call('POST', '/v1/notebooks', {
        token,
        body: { name: 'Bad', upload_id: await upload(token, content, name) },
      });
      expect(answer.status, name).toBe(422);
    }
    const list = await call<{ total: number }>('GET', '/v1/notebooks', { token });
    expect(list.body.total).toBe(1);
  });
});
