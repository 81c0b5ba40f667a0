import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { ServerConfig } from '@atoll/contract';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createTestApp } from '../../test/test-app.ts';
import { createLogOptions } from '../log.ts';

test('writes mails as files for the operator, and their links to no log', async () => {
  let written = '';
  const sink = new Writable({
    write(chunk, _encoding, done) {
      written += chunk;
      done();
    },
  });
  const log = pino(createLogOptions('trace'), sink);
  const app = await createTestApp({ log, useConfiguredMail: true });
  const { email } = await app.person();
  await app.call('POST', '/v1/password_reset', { body: { email } });
  await app.deliveredMails();
  const mailbox = join(app.config.dataFolder, 'outbox');
  const mails = readdirSync(mailbox).map((file) => readFileSync(join(mailbox, file), 'utf8').replace(/=\r?\n/g, ''));
  const tokens = mails.flatMap((mail) => /#token=(?:3D)?([\w-]+)/.exec(mail)?.[1] ?? []);
  expect(tokens).toHaveLength(2);
  expect(written).toContain('Mail written');
  for (const token of tokens) expect(written).not.toContain(token);
  expect(written).not.toContain('#token=');
});

test('reports whether mails reach people', async () => {
  const isDelivered = async (env: Record<string, string>) => {
    const { call } = await createTestApp({ env });
    return (await call<ServerConfig>('GET', '/v1/config')).body.mail.is_delivered;
  };
  expect(await isDelivered({})).toBe(false);
  expect(await isDelivered({ ATOLL_MAILBOX: 'on' })).toBe(true);
  expect(await isDelivered({ SMTP_URL: 'smtp://127.0.0.1:2525' })).toBe(true);
});
