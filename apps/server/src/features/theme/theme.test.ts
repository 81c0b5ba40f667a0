import type { ActionLog, Theme } from '@atoll/contract';
import { platforms } from '@atoll/contract';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { createTestApp } from '../../test/test-app.ts';

describe('the theme', () => {
  test.each(platforms)('of %s is whole and readable: text has contrast 4.5 in both modes', async (platform) => {
    const { call } = await createTestApp({ env: { ATOLL_PLATFORM: platform } });
    const { body } = await call<Theme>('GET', '/v1/theme');
    expect(body).toMatchObject({ platform, app_url: 'http://localhost:4000', root_path: '/' });
    for (const { text, muted, primary, background, surface } of Object.values(body.palettes)) {
      for (const ground of [background, surface]) {
        for (const ink of [text, muted, primary])
          expect(contrast(ink, ground), `${ink} on ${ground}`).toBeGreaterThanOrEqual(4.5);
      }
    }
  });

  test('is changed field by field by an admin, and reset', async () => {
    const { call, admin } = await createTestApp();
    const { token } = await admin();
    const original = (await call<Theme>('GET', '/v1/theme')).body;
    await call('PATCH', '/v1/admin/theme', {
      token,
      body: { update: { name: 'Northwind', palettes: { dark: { primary: '#ff8800' } } } },
    });
    await call('PATCH', '/v1/admin/theme', {
      token,
      body: { update: { theme_default_mode: 'dark', texts: { tagline: 'Onward' } } },
    });
    const changed = (await call<Theme>('GET', '/v1/theme')).body;
    expect(changed).toEqual({
      ...original,
      name: 'Northwind',
      // In page titles, until it is set apart.
      web_name: 'Northwind',
      theme_default_mode: 'dark',
      texts: { ...original.texts, tagline: 'Onward' },
      palettes: { ...original.palettes, dark: { ...original.palettes.dark, primary: '#ff8800' } },
    });
    expect((await call<Theme>('POST', '/v1/admin/theme/reset', { token, body: {} })).body).toEqual(original);
    expect((await call<Theme>('GET', '/v1/theme')).body).toEqual(original);
    const { body } = await call<{ entries: ActionLog[] }>('GET', '/v1/admin/action_logs', { token });
    expect(body.entries).toMatchObject([
      { action: 'theme.reset', before: { name: 'Northwind' }, after: { name: original.name } },
      { action: 'theme.updated', before: { theme_default_mode: original.theme_default_mode } },
      { action: 'theme.updated', after: { name: 'Northwind' } },
    ]);
  });

  test('takes pictures by upload and gives them up again', async () => {
    const { app, call, admin } = await createTestApp();
    const { token } = await admin();
    const content = await sharp({ create: { width: 2_000, height: 500, channels: 4, background: '#00000000' } })
      .png()
      .toBuffer();
    const slot = await call<{ upload_id: string; url: string }>('POST', '/v1/upload', {
      token,
      body: { client_name: 'logo.png' },
    });
    await app.http.inject({
      method: 'PUT',
      url: slot.body.url,
      payload: content,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
    });
    const changed = await call<Theme>('PATCH', '/v1/admin/theme', {
      token,
      body: { upload_ids: { logo_with_name: slot.body.upload_id } },
    });
    const asset = await app.http.inject({ method: 'GET', url: changed.body.logo_with_name ?? '' });
    expect(await sharp(asset.rawPayload).metadata()).toMatchObject({ format: 'png', width: 1024, height: 256 });
    const removed = await call<Theme>('PATCH', '/v1/admin/theme', {
      token,
      body: { upload_ids: { logo_with_name: null } },
    });
    expect(removed.body.logo_with_name).toBeNull();
  });

  test('refuses colours, links and fields that are not such', async () => {
    const { call, admin } = await createTestApp();
    const { token } = await admin();
    for (const update of [
      { palettes: { light: { primary: 'red;}body{display:none' } } },
      { palettes: { light: { sparkle: '#fff' } } },
      { links: [{ label: 'x', url: 'javascript:alert(1)' }] },
      { contact_us_url: '//evil.example' },
      { platform: 'crypto' },
      { name: '' },
    ]) {
      expect((await call('PATCH', '/v1/admin/theme', { token, body: { update } })).status, JSON.stringify(update)).toBe(
        422,
      );
    }
  });

  test('names the API document and its page', async () => {
    const { call, admin } = await createTestApp();
    const { token } = await admin();
    await call('PATCH', '/v1/admin/theme', { token, body: { update: { name: '<b>Northwind</b>' } } });
    const document = await call<{ info: { title: string } }>('GET', '/openapi.json');
    expect(document.body.info.title).toBe('<b>Northwind</b> API');
    const page = await call<string>('GET', '/docs');
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.body).toContain('/v1/admin/theme/reset');
    expect(page.body).not.toContain('<b>Northwind');
  });
});

/** WCAG contrast ratio of two #rrggbb colours. */
function contrast(a: string, b: string): number {
  const luminance = (colour: string) => {
    const channels = [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16) / 255);
    const [red = 0, green = 0, blue = 0] = channels.map((c) =>
      c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}
