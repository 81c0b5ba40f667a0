import type { TelegramChat } from '@atoll/contract';
import { expect, test } from 'vitest';
import { createTestApp } from '../../test/test-app.ts';
import { cells, list, minute, send, settings, startTarget } from '../deliveries/test-deliveries.ts';
import { publishedReport } from '../reports/test-report.ts';

/** As much of Telegram as the bot uses, and what is written to it there. */
async function createBot() {
  let updates: { update_id: number }[] = [];
  let last = 0;
  const telegram = await startTarget(({ path, body }) => {
    if (path.endsWith('/getMe')) return { body: { ok: true, result: { username: 'atoll_bot' } } };
    if (!path.endsWith('/getUpdates')) return { body: { ok: true, result: {} } };
    const { offset } = JSON.parse(String(body)) as { offset: number };
    return { body: { ok: true, result: updates.filter(({ update_id }) => update_id >= offset) } };
  });
  const app = await createTestApp({
    env: { TELEGRAM_API_URL: telegram.url, TELEGRAM_BOT_TOKEN: '12345:token' },
  });
  const chats = async (token: string) =>
    (await app.call<{ has_bot: boolean; entries: TelegramChat[] }>('GET', '/v1/telegram_chats', { token })).body
      .entries;
  const code = async (token: string) =>
    (await app.call<{ code: string; bot_name: string }>('POST', '/v1/telegram_chats/codes', { token })).body.code;
  /** Somebody writes to the bot; the bot reads it. */
  const write = async (chat: { id: number; type: string; title?: string }, text: string) => {
    const kind = chat.type === 'channel' ? 'channel_post' : 'message';
    updates = [{ update_id: ++last, [kind]: { text, chat, from: { id: 7 } } } as { update_id: number }];
    // Asks for the bot's updates.
    await code((await app.person()).token);
    await app.settled();
    updates = [];
  };
  const messages = () =>
    telegram.asked.filter(({ path }) => path.endsWith('/sendMessage')).map(({ body }) => String(body));
  /** What the bot answers to commands; reports are sent as forms. */
  const replies = () => messages().flatMap((body) => (body.startsWith('{') ? JSON.parse(body) : []));
  return { app, chats, code, write, messages, replies };
}
const tides = { id: -100200, type: 'channel', title: 'Tides' };
const crew = { id: -55, type: 'supergroup', title: 'Crew' };

test('a report reaches no chat of the bot but those that its person linked from within', async () => {
  const { app, chats, code, write, messages, replies } = await createBot();
  const [ada, mallory] = [await app.person(), await app.person()];
  const report = await publishedReport(app, ada.token, cells);
  const other = await publishedReport(app, mallory.token, cells);
  const choose = async ({ token }: { token: string }, id: string, chat_id: string) =>
    (await settings(app, token, id, { delivery: { attachment: 'none', telegram: { enabled: true, chat_id } } })).status;
  const delivered = async ({ token }: { token: string }, id: string) => {
    app.clock.advance(minute);
    await send(app, token, id);
    await app.settled();
    return (await list(app, token, id)).entries[0];
  };
  for (const chat of ['-100200', '@tides', '-55', '12345']) expect(await choose(mallory, other.id, chat)).toBe(422);

  await write(tides, `/link ${await code(ada.token)}`);
  await write(crew, `/link@atoll_bot ${await code(ada.token)}`);
  expect(await chats(ada.token)).toMatchObject([
    { chat_id: '-55', title: 'Crew', kind: 'group' },
    { chat_id: '-100200', title: 'Tides', kind: 'channel' },
  ]);
  expect(replies().map(({ chat_id }) => chat_id)).toEqual([-100200, -55]);
  expect(await choose(ada, report.id, '-100200')).toBe(200);
  expect(await delivered(ada, report.id)).toMatchObject({ state: 'delivered' });
  expect(messages().at(-1)).toContain('-100200');

  // Knowing a chat, and even that it is linked to another person, is no proof.
  for (const chat of ['-100200', '-55']) expect(await choose(mallory, other.id, chat)).toBe(422);
  expect(await chats(mallory.token)).toEqual([]);
  const [linked] = await chats(ada.token);
  const unlink = (token: string) => app.call('DELETE', `/v1/telegram_chats/${linked?.id}`, { token });
  expect((await unlink(mallory.token)).status).toBe(404);
  expect((await unlink(ada.token)).status).toBe(200);
  expect((await chats(ada.token)).map(({ chat_id }) => chat_id)).toEqual(['-100200']);
});

test('a report stops with a reason once its chat is unlinked, by its person or from within', async () => {
  const { app, chats, code, write } = await createBot();
  const ada = await app.person();
  const { id } = await publishedReport(app, ada.token, cells);
  const choose = () =>
    settings(app, ada.token, id, { delivery: { attachment: 'none', telegram: { enabled: true, chat_id: '-100200' } } });
  const delivered = async () => {
    app.clock.advance(minute);
    await send(app, ada.token, id);
    await app.settled();
    return (await list(app, ada.token, id)).entries[0];
  };
  const stopped = { state: 'failed', reason: expect.stringContaining('not linked any more') };
  await write(tides, `/link ${await code(ada.token)}`);
  await choose();
  const [chat] = await chats(ada.token);
  await app.call('DELETE', `/v1/telegram_chats/${chat?.id}`, { token: ada.token });
  expect(await delivered()).toMatchObject(stopped);

  await write(tides, `/link ${await code(ada.token)}`);
  expect(await delivered()).toMatchObject({ state: 'delivered' });
  await write(tides, '/unlink');
  expect(await chats(ada.token)).toEqual([]);
  expect(await delivered()).toMatchObject(stopped);
});

test('a code links once, within half an hour, and the person who asked for it', async () => {
  const { app, chats, code, write, replies } = await createBot();
  const ada = await app.person();
  const used = await code(ada.token);
  await write(crew, `/link ${used}`);
  await write(tides, `/link ${used}`);
  await write(tides, '/link guessed');
  const late = await code(ada.token);
  app.clock.advance(31 * minute);
  await write(tides, `/link ${late}`);
  expect((await chats(ada.token)).map(({ title }) => title)).toEqual(['Crew']);
  expect(replies().map(({ text }) => text)).toEqual([
    expect.stringContaining('Linked to the account'),
    ...Array(3).fill(expect.stringContaining('not valid any more')),
  ]);
  const own = await code(ada.token);
  await write({ id: 7, type: 'private' }, `/start ${own}`);
  expect((await chats(ada.token)).map(({ kind }) => kind)).toEqual(['group', 'private']);
});
