import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { serveWeb } from './web.ts';

test('serves assets, compressed on request, and no file outside of their folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-web-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'assets'));
  const files = {
    'index.html': 'page',
    'assets/a.js': 'plain',
    'assets/a.js.br': 'brotli',
    'assets/output-1.html': '',
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const http = fastify();
  await serveWeb(http, folder, () => Promise.reject(new Error('no theme')));

  const plain = await http.inject('/assets/a.js');
  expect([plain.statusCode, plain.body]).toEqual([200, 'plain']);
  expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  const compressed = await http.inject({ url: '/assets/a.js', headers: { 'accept-encoding': 'br' } });
  expect([compressed.headers['content-encoding'], compressed.body]).toEqual(['br', 'brotli']);
  expect((await http.inject('/assets/output-1.html')).headers['content-security-policy']).toContain('sandbox');
  expect((await http.inject('/assets/none.js')).statusCode).toBe(404);
  for (const outside of ['..%2findex.html', '..%5cindex.html', 'x%2f..%2f..%2findex.html', '%2fetc%2fpasswd', '%00']) {
    const { statusCode, body } = await http.inject(`/assets/${outside}`);
    expect(statusCode, outside).toBeGreaterThanOrEqual(400);
    expect(body, outside).not.toBe('page');
  }
});

test('answers 404 for an address without a page, and the app says so', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-web-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), 'page');
  writeFileSync(
    join(folder, 'addresses.json'),
    JSON.stringify(['/', '/users/$username/$tab', '/reports/isles/$slug/$']),
  );
  const http = fastify();
  await serveWeb(http, folder, () => Promise.reject(new Error('no theme')));
  const statusOf = async (url: string) => {
    const { statusCode, body } = await http.inject(url);
    expect(body, url).toBe('page');
    return statusCode;
  };
  for (const url of ['/', '/?x=1', '/users/ada/projects', '/users/ada/projects/', '/reports/isles/a/b/c'])
    expect(await statusOf(url), url).toBe(200);
  for (const url of ['/nonsense', '/users', '/users/ada/projects/more', '/wp-admin/x.php'])
    expect(await statusOf(url), url).toBe(404);
});
