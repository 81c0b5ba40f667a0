import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { createTestApp } from '../../test/test-app.ts';

const secret = '8f742231b10e8888abcd99yyyzzz85a5';
const body = '{"type":"url_verification",  "challenge":"3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P"}';

async function setUp() {
  const app = await createTestApp({ env: { SLACK_SIGNING_SECRET: secret } });
  const now = app.clock.time / 1000;
  const sign = (timestamp: number, text: string, key = secret) =>
    `v0=${createHmac('sha256', key).update(`v0:${timestamp}:${text}`).digest('hex')}`;
  const send = (headers: Record<string, string>, text = body) =>
    app.call<{ challenge?: string }>('POST', '/v1/slack/events', {
      body: text,
      headers: { 'content-type': 'application/json', ...headers },
    });
  const signed = (timestamp: number, text = body, key = secret) => ({
    'x-slack-request-timestamp': String(timestamp),
    'x-slack-signature': sign(timestamp, text, key),
  });
  return { app, now, send, signed };
}

test("takes what Slack signed, over the body's very bytes", async () => {
  const { now, send, signed } = await setUp();
  const answer = await send(signed(now));
  expect(answer).toMatchObject({ status: 200, body: { challenge: expect.stringMatching(/^3eZb/) } });
});

test('five minutes either way are fine, more are a recording', async () => {
  const { now, send, signed } = await setUp();
  expect((await send(signed(now - 300))).status).toBe(200);
  expect((await send(signed(now + 300))).status).toBe(200);
  expect((await send(signed(now - 301))).status).toBe(401);
  expect((await send(signed(now + 301))).status).toBe(401);
});

test('refuses another secret, a changed body, a changed time and missing or odd headers', async () => {
  const { now, send, signed } = await setUp();
  expect((await send(signed(now, body, 'another secret'))).status).toBe(401);
  expect((await send(signed(now), body.replace('3eZ', '4eZ'))).status).toBe(401);
  // The same JSON written differently is not what was signed.
  expect((await send(signed(now), JSON.stringify(JSON.parse(body)))).status).toBe(401);
  expect((await send({ ...signed(now), 'x-slack-request-timestamp': String(now - 1) })).status).toBe(401);
  expect((await send({})).status).toBe(401);
  expect((await send({ ...signed(now), 'x-slack-signature': 'v0=' })).status).toBe(401);
  expect((await send({ ...signed(now), 'x-slack-request-timestamp': 'NaN' })).status).toBe(401);
});

test('is switched off without a secret', async () => {
  const app = await createTestApp();
  const answer = await app.call('POST', '/v1/slack/events', { body: {} });
  expect(answer).toMatchObject({ status: 403, body: { details: { reason: 'disabled_in_configuration' } } });
});
