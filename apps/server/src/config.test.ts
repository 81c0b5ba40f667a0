import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { environment } from './environment.ts';

describe('the configuration', () => {
  test('needs nothing and has sensible defaults', () => {
    const config = readConfig({});
    expect(config).toMatchObject({
      port: 4000,
      host: '127.0.0.1',
      platform: 'atoll',
      url: 'http://localhost:4000',
      databaseUrl: null,
    });
    expect(config.dataFolder).toMatch(/\/data$/);
    expect(Object.isFrozen(config)).toBe(true);
  });

  test('names everything that is wrong in one message', () => {
    const wrong = {
      PORT: 'abc',
      ATOLL_PLATFORM: 'moon',
      DATABASE_URL: 'mysql://x',
      ATOLL_ADMIN_PASSWORD: 'short',
      ATOLL_FEATURES_OFF: 'ai,nothing',
    };
    expect(() => readConfig(wrong)).toThrow(
      /PORT:[\s\S]*ATOLL_PLATFORM:[\s\S]*ATOLL_FEATURES_OFF:[\s\S]*DATABASE_URL:[\s\S]*ATOLL_ADMIN_PASSWORD:/,
    );
  });

  test('names the half that is missing', () => {
    expect(() => readConfig({ GITHUB_CLIENT_ID: 'x' })).toThrow(
      /GITHUB_CLIENT_SECRET: needed because GITHUB_CLIENT_ID is set/,
    );
    expect(() => readConfig({ IDM_URL: 'https://idm.example' })).toThrow(/IDM_AUDIENCE/);
  });

  test('an object store is given whole or not at all', () => {
    const given = { S3_ENDPOINT: 'https://s3.example', S3_BUCKET: 'b', S3_REGION: 'r', S3_ACCESS_KEY_ID: 'k' };
    expect(() => readConfig(given)).toThrow(/S3_SECRET_ACCESS_KEY: needed because/);
    expect(() => readConfig({ S3_BUCKET: 'b' })).toThrow(
      /S3_ENDPOINT: needed[\s\S]*S3_REGION: needed[\s\S]*S3_ACCESS_KEY_ID: needed[\s\S]*S3_SECRET_ACCESS_KEY: needed/,
    );
    const whole = readConfig({ ...given, S3_SECRET_ACCESS_KEY: 's' });
    expect(whole.objectStore).toMatchObject({ endpoint: 'https://s3.example', bucket: 'b' });
    expect(readConfig({}).objectStore).toBeNull();
  });

  test('code runs without a sandbox only where nobody else reaches the server', () => {
    const on = { ATOLL_UNSANDBOXED_KERNELS: 'on' };
    expect(readConfig({}).kernels.isUnsandboxed).toBe(false);
    for (const HOST of ['127.0.0.1', 'localhost', '::1'])
      expect(readConfig({ ...on, HOST }).kernels.isUnsandboxed).toBe(true);
    for (const more of [
      { HOST: '0.0.0.0' },
      { HOST: '192.168.1.7' },
      { HOST: '127.0.0.1.example.org' },
      { ATOLL_URL: 'https://notebooks.example.org' },
      { ATOLL_TRUST_PROXY: '1' },
    ])
      expect(() => readConfig({ ...on, ...more }), JSON.stringify(more)).toThrow(
        /ATOLL_UNSANDBOXED_KERNELS: only where this machine alone reaches the server, but/,
      );
  });

  test('every variable is documented', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/CONFIGURATION.md'), 'utf8');
    for (const [name, schema] of Object.entries(environment.shape)) {
      expect(schema.description, name).toBeTruthy();
      expect(page, `${name} is missing in docs/CONFIGURATION.md`).toContain(`\`${name}\``);
    }
  });
});
