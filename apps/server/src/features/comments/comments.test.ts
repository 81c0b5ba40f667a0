import type { Comment, Notification, ProjectDetail, Thread } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { connect, join } from '../../test/realtime-client.ts';
import { createTestApp } from '../../test/test-app.ts';
import { users } from '../users/table.ts';

type List<Entry> = { entries: Entry[]; total: number };

async function setUp() {
  const app = await createTestApp();
  const [ada, bob, eve] = [await app.person('ada'), await app.person('bob'), await app.person('eve')];
  const project = await app.project(ada.token, { create_main_file: true });
  const path = `/v1/notebooks/${project.id}`;
  const share = (userId: string, permissions: string[]) =>
    app.call('POST', `${path}/user_permissions`, { token: ada.token, body: { user_id: userId, permissions } });
  await share(bob.id, ['view_source', 'comment']);
  const call = <Body = Comment>(method: string, rest: string, token: string, body?: object) =>
    app.call<Body>(method, `${path}/comments${rest}`, { token, body });
  const say = async (token: string, content: string, about: object = {}) => {
    const answer = await call('POST', '', token, { content, ...about });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body;
  };
  const threads = async (token: string, query: Record<string, string> = {}) =>
    (await app.call<List<Thread>>('GET', `${path}/comments`, { token, query })).body.entries;
  const news = async (token: string) => {
    await app.deliveredMails();
    const list = await app.get<List<Notification>>(token, '/v1/notifications', { group: 'comments' });
    return list.body.entries.map(({ type }) => type);
  };
  return { app, ada, bob, eve, project, path, share, call, say, threads, news };
}

describe('comments', () => {
  test('are threads with replies, on the project, a file or a cell', async () => {
    const { app, ada, bob, eve, project, path, call, say, threads } = await setUp();
    const file_id = project.default_file_id ?? '';
    const first = await say(bob.token, 'Is this the *low* tide?');
    const onCell = await say(bob.token, 'This cell is slow', { file_id, cell_id: 'a1b2' });
    const reply = await say(ada.token, 'Yes.', { reply_to: first.id });
    const deep = await say(ada.token, 'I know.', { reply_to: onCell.id });
    expect(deep).toMatchObject({ file_id, cell_id: 'a1b2', reply_to: onCell.id });
    expect(await threads(ada.token)).toMatchObject([
      { id: onCell.id, replies: [{ id: deep.id }] },
      { id: first.id, author: { id: bob.id }, replies: [{ id: reply.id, author: { id: ada.id } }] },
    ]);
    expect(await threads(ada.token, { project_file_id: file_id, cell_id: 'a1b2' })).toHaveLength(1);
    expect(await threads(ada.token, { project_file_id: file_id, cell_id: 'other' })).toHaveLength(0);

    // On a canvas also on what stands beside the cells, and on a spot; a reply is where its thread is.
    const spot = { x: -12.5, y: 40 };
    const onItem = await say(bob.token, 'Whose note is this?', { file_id, item_id: 'note' });
    const onSpot = await say(bob.token, 'Something is missing here', { file_id, spot });
    expect(onItem).toMatchObject({ file_id, cell_id: null, item_id: 'note', spot: null });
    expect(await say(ada.token, 'What?', { reply_to: onSpot.id })).toMatchObject({ file_id, item_id: null, spot });
    expect(await threads(ada.token, { project_file_id: file_id, item_id: 'note' })).toMatchObject([{ id: onItem.id }]);
    const data = await app.createFile(ada.token, path.split('/').at(-1) ?? '', 'notes.txt', 'low');
    expect(data.status).toBe(200);
    const wrong = [
      { content: '  ' },
      { content: 'x', item_id: 'note' },
      { content: 'x', spot },
      { content: 'x', file_id, item_id: 'no id' },
      { content: 'x', file_id, spot: { x: 1e7, y: 0 } },
      { content: 'x', file_id, spot: { x: 1 } },
      { content: 'x', file_id, spot, item_id: 'note' },
      { content: 'x', file_id, cell_id: 'a', item_id: 'note' },
      { content: 'x', file_id: data.body.id, spot },
      { content: 'x', cell_id: 'a' },
      { content: 'x', file_id: first.id },
      { content: 'x', reply_to: reply.id },
    ];
    for (const body of wrong) expect((await call('POST', '', ada.token, body)).status).toBe(422);
    expect((await call('POST', '', eve.token, { content: 'x' })).status).toBe(404);
    expect((await call('POST', '', ada.token, { content: 'x', reply_to: crypto.randomUUID() })).status).toBe(404);
  });

  test('on files are for those who may read files', async () => {
    const { app, ada, eve, project, path, call, say, threads } = await setUp();
    await app.call('PATCH', path, { token: ada.token, body: { visibility: 'public', hides_source: true } });
    const file_id = project.default_file_id ?? '';
    await say(ada.token, 'Secret line 3', { file_id });
    const open = await say(ada.token, 'Welcome');
    expect((await threads(eve.token)).map(({ id }) => id)).toEqual([open.id]);
    expect((await call('POST', '', eve.token, { content: 'x', file_id })).status).toBe(403);
    expect((await say(eve.token, 'Thanks', { reply_to: open.id })).author?.id).toBe(eve.id);
    const guest = await app.guest();
    expect((await threads(guest.token)).map(({ id }) => id)).toEqual([open.id]);
    expect((await call('POST', '', guest.token, { content: 'x' })).status).toBe(403);
  });

  test('are changed by their author, deleted without losing the thread, resolved and opened again', async () => {
    const { ada, bob, call, say, threads, app, path } = await setUp();
    const first = await say(bob.token, 'One');
    const reply = await say(ada.token, 'Two', { reply_to: first.id });
    expect((await call('PATCH', `/${first.id}`, ada.token, { content: 'Mine' })).status).toBe(403);
    expect((await call('PATCH', `/${first.id}`, bob.token, { content: 'Uno' })).body).toMatchObject({ content: 'Uno' });
    expect((await call('PATCH', `/${reply.id}`, ada.token, { is_resolved: true })).status).toBe(403);
    expect((await call('PATCH', `/${first.id}`, ada.token, { is_resolved: true })).body.is_resolved).toBe(true);
    await say(bob.token, 'Not yet', { reply_to: first.id });
    expect((await threads(ada.token))[0]?.is_resolved).toBe(false);
    expect((await call('DELETE', `/${reply.id}`, bob.token)).status).toBe(403);
    expect((await call('DELETE', `/${first.id}`, bob.token)).status).toBe(200);
    const [thread] = await threads(ada.token);
    expect(thread).toMatchObject({ id: first.id, is_deleted: true, content: '', author: null });
    expect(thread?.replies).toHaveLength(2);
    expect((await call('PATCH', `/${first.id}`, bob.token, { content: 'Back' })).status).toBe(410);
    // The owner tidies up.
    const rude = await say(bob.token, 'Rude');
    expect((await call('DELETE', `/${rude.id}`, ada.token)).status).toBe(200);
    expect(await threads(ada.token)).toHaveLength(1);
    const counted = await app.call<ProjectDetail>('GET', path, { token: ada.token });
    expect(counted.body.stats.comment_count).toBe(2);
  });

  test('are liked or disliked once by each, and counted right when an account goes', async () => {
    const { app, ada, bob, call, say, threads, news } = await setUp();
    const { id } = await say(ada.token, 'One');
    const react = (token: string, reaction: string) => call('POST', `/${id}/react`, token, { reaction });
    expect((await react(bob.token, 'like')).body).toMatchObject({ likes_count: 1, reaction: 'like' });
    expect((await react(bob.token, 'like')).body.likes_count).toBe(1);
    expect((await react(ada.token, 'dislike')).body).toMatchObject({ likes_count: 1, dislikes_count: 1 });
    expect((await react(bob.token, 'dislike')).body).toMatchObject({ likes_count: 0, dislikes_count: 2 });
    expect((await call('DELETE', `/${id}/react`, bob.token)).body).toMatchObject({ dislikes_count: 1, reaction: null });
    await react(bob.token, 'like');
    expect(await news(ada.token)).toEqual(['comment_liked']);
    const reply = await say(bob.token, 'Fine', { reply_to: id });
    await app.database.db.delete(users).where(eq(users.id, bob.id));
    expect(await threads(ada.token)).toMatchObject([
      { likes_count: 0, dislikes_count: 1, replies: [{ id: reply.id, author: null, content: 'Fine' }] },
    ]);
  });

  test('are told live to everybody present, as far as they may read', async () => {
    const { app, ada, bob, project, call, say } = await setUp();
    const socket = await connect(app, bob.token);
    const topic = await join(socket, `comments:${project.id}`);
    const fileTopic = await join(socket, `file_comments:${project.id}`);
    const first = await say(ada.token, 'Live');
    expect(await topic.event('comment_changed')).toMatchObject({ comment: { id: first.id, content: 'Live' } });
    const onFile = await say(ada.token, 'There', { file_id: project.default_file_id });
    expect(await fileTopic.event('comment_changed')).toMatchObject({ comment: { id: onFile.id } });
    await call('DELETE', `/${first.id}`, ada.token);
    expect(await topic.event('comment_removed')).toMatchObject({ id: first.id });
  });

  test('tell each person once, in the words that concern them most, and nobody who may not read', async () => {
    const { app, ada, bob, eve, call, say, news } = await setUp();
    const first = await say(bob.token, 'Hello @ADA and @eve, mail me at bob@ada.org');
    expect(await news(ada.token)).toEqual(['comment_mentioned']);
    expect(await news(eve.token)).toEqual([]);
    expect(await news(bob.token)).toEqual([]);
    await say(ada.token, 'Sure', { reply_to: first.id });
    expect(await news(bob.token)).toEqual(['comment_replied']);
    await say(bob.token, 'Thanks', { reply_to: first.id });
    expect(await news(ada.token)).toEqual(['comment_replied', 'comment_mentioned']);
    const second = await say(bob.token, 'A new one');
    expect(await news(ada.token)).toEqual(['comment_created', 'comment_replied', 'comment_mentioned']);
    // Naming somebody while editing tells them, and only them.
    await call('PATCH', `/${second.id}`, bob.token, { content: 'A new one, @ada' });
    await call('PATCH', `/${second.id}`, bob.token, { content: 'A new one!, @ada' });
    expect((await news(ada.token)).filter((type) => type === 'comment_mentioned')).toHaveLength(2);
    expect((await call('POST', `/${second.id}/report`, ada.token, { reason: 'Rude' })).status).toBe(200);
    const [admin] = await news((await app.admin()).token);
    expect(admin).toBeUndefined();
  });
});
