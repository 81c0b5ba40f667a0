import { utimesSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { and, eq, isNull } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { newId } from '../../platform/db/columns.ts';
import { createTestApp } from '../../test/test-app.ts';
import { storeWritten } from '../files/service/written.ts';
import { files } from '../files/table.ts';
import { projectGrants, projects } from '../projects/table.ts';
import { ProjectMirror } from './service/folder/project-mirror.ts';
import { kernelSessions } from './table.ts';
import { final, onTheWay, temporary } from './test-folder.ts';

async function mirrored(options: { savesFiles?: boolean; mostBytes?: number; heartbeatAfterMs?: number } = {}) {
  const app = await createTestApp();
  const ctx = app.app.system();
  const { token, id: userId } = await app.person();
  const project = await app.project(token);
  const upload = (name: string, content: string) => app.createFile(token, project.id, name, content);
  const now = ctx.now();
  const [session] = await app.database.db
    .insert(kernelSessions)
    .values({
      userId,
      projectId: project.id,
      kernel: 'fake.python',
      tier: 'l1',
      purpose: 'run',
      savesFiles: options.savesFiles ?? true,
      state: 'busy',
      serverId: newId(),
      hostId: newId(),
      startedAt: now,
      activeAt: now,
      heartbeatAt: new Date(Date.now() + (options.heartbeatAfterMs ?? -120_000)),
      // The session has ended, so that this server does not treat it as its own.
      endedAt: now,
    })
    .returning();
  if (!session) throw new Error('The session was not stored');
  const inside = temporary();
  const mirror = () => new ProjectMirror(ctx, inside, session, options.mostBytes);
  const tree = async () => {
    const live = and(eq(files.projectId, project.id), isNull(files.deletedAt));
    return (await app.database.db.select().from(files).where(live)).map(({ path }) => path).sort();
  };
  const blobs = async () => {
    let count = 0;
    for await (const _ of ctx.blobs.list()) count += 1;
    return count;
  };
  const write = (path: string, text: string) => writeFileSync(join(inside, path), text);
  return { app, ctx, userId, project, session, upload, inside, mirror, tree, blobs, write };
}

describe("a project's files in a working folder", () => {
  test('saves one at a time; the last one waits, and returns the notices not reported before', async () => {
    const { upload, inside, mirror, tree, write } = await mirrored();
    await upload('ä'.repeat(150), 'long');
    const one = mirror();
    await one.fill();
    write('bad:name', 'x');
    write('a.txt', 'a');
    const [told, skipped, last] = await Promise.all([one.save(final), one.save(onTheWay), one.save(final)]);
    expect(told).toEqual([expect.stringContaining('its name is too long'), expect.stringContaining('bad:name')]);
    expect([skipped, last]).toEqual([[], []]);
    write('worse:name', 'x');
    // The file was written long enough ago to be complete.
    utimesSync(join(inside, 'worse:name'), new Date(0), new Date(0));
    expect(await one.save(onTheWay)).toEqual([expect.stringContaining('worse:name')]);
    expect(await one.save(final)).toEqual([expect.stringContaining('worse:name')]);
    expect(await tree()).toContain('a.txt');
  });

  test('reads no file of a session that may not save files', async () => {
    const { upload, mirror, tree, blobs, write } = await mirrored({ savesFiles: false });
    await upload('in.txt', 'in');
    const before = { blobs: await blobs(), tree: await tree() };
    const one = mirror();
    await one.fill();
    expect(await one.save(final)).toEqual([]);
    write('a.txt', 'a');
    write('b.txt', 'b');
    expect(await one.save(final)).toEqual(['What the code wrote was not kept: you may not edit this project.']);
    expect(await one.save(final)).toEqual([]);
    expect({ blobs: await blobs(), tree: await tree() }).toEqual(before);
  });

  test('limits the bytes that a session stores', async () => {
    const { mirror, tree, write } = await mirrored({ mostBytes: 10 });
    const one = mirror();
    await one.fill();
    write('a.txt', '12345');
    expect(await one.save(final)).toEqual([]);
    write('b.txt', '123456');
    expect(await one.save(final)).toEqual([expect.stringContaining('more than 2 GB')]);
    write('c.txt', '1');
    expect(await one.save(final)).toEqual([]);
    expect((await tree()).filter((path) => path.endsWith('.txt'))).toEqual(['a.txt']);
  });

  test('does not restore a file that was deleted while the server was away', async () => {
    const { app, project, upload, mirror, tree, write } = await mirrored();
    await upload('old.txt', 'old');
    await mirror().fill();
    write('new.txt', 'new');
    const deletedAt = new Date(app.clock.time + 1_000);
    await app.database.db
      .update(files)
      .set({ deletedAt })
      .where(and(eq(files.projectId, project.id), eq(files.path, 'old.txt')));
    const two = mirror();
    await two.remember();
    expect(await two.save(final)).toEqual([]);
    expect(await tree()).toContain('new.txt');
    expect(await tree()).not.toContain('old.txt');
  });

  test('does not restore a file under its old name after a rename while the server was away', async () => {
    const { app, project, upload, inside, mirror, tree, write } = await mirrored({ heartbeatAfterMs: 120_000 });
    await upload('old.txt', 'old');
    await mirror().fill();
    await app.database.db
      .update(files)
      .set({ path: 'new.txt', pathKey: 'new.txt' })
      .where(and(eq(files.projectId, project.id), eq(files.path, 'old.txt')));
    const two = mirror();
    await two.remember();
    expect(await two.save(final)).toEqual([]);
    expect((await tree()).filter((path) => path.endsWith('.txt'))).toEqual(['new.txt']);
    expect(await readdir(inside)).toContain('old.txt');
    write('old.txt', 'written by the code since');
    expect(await two.save(final)).toEqual([]);
    expect(await tree()).toContain('old.txt');
  });

  test('reaches a live kernel when a user changes the project', async () => {
    const { upload, inside, mirror, tree, write } = await mirrored();
    await upload('in.txt', 'one');
    const one = mirror();
    await one.fill();
    await upload('more.txt', 'more');
    expect(await one.pull()).toBe(true);
    expect(await readFile(join(inside, 'more.txt'), 'utf8')).toBe('more');
    write('out.txt', 'out');
    expect(await one.save(final)).toEqual([]);
    expect(await tree()).toContain('out.txt');
    expect(await one.pull()).toBe(false);
  });

  test('stores files only for people who may still edit the project', async () => {
    const { app, ctx, userId, project, session, tree } = await mirrored();
    const { sha256 } = await ctx.blobs.put(Readable.from([Buffer.from('a')]), 10);
    const store = (path: string, author: string) =>
      storeWritten(ctx, project.id, author, { saved: [{ path, blob: sha256, size: 1 }], deleted: [] }, session.id);
    const refused = ['What the code wrote was not kept: you no longer have permission to edit this project.'];
    const other = await app.person();
    const grant = { projectId: project.id, userId: other.id, createdAt: ctx.now() };
    const granted = eq(projectGrants.userId, other.id);
    await app.database.db.insert(projectGrants).values({ ...grant, permissions: ['edit'] });
    expect(await store('granted.txt', other.id)).toEqual([]);
    await app.database.db
      .update(projectGrants)
      .set({ permissions: ['view_source'] })
      .where(granted);
    expect(await store('viewer.txt', other.id)).toEqual(refused);
    await app.database.db.delete(projectGrants).where(granted);
    expect(await store('stranger.txt', other.id)).toEqual(refused);
    await app.promote(other.id);
    expect(await store('admin.txt', other.id)).toEqual([]);
    expect(await store('owner.txt', userId)).toEqual([]);
    expect((await tree()).filter((path) => path.endsWith('.txt'))).toEqual(['admin.txt', 'granted.txt', 'owner.txt']);
    await app.database.db.update(projects).set({ deletedAt: ctx.now() }).where(eq(projects.id, project.id));
    expect(await store('late.txt', userId)).toEqual(['What the code wrote was not kept: the project was deleted.']);
  });

  test('stores many files in portions; a name in capitals is the same file', async () => {
    const { ctx, userId, project, session, tree } = await mirrored();
    const { sha256: blob } = await ctx.blobs.put(Readable.from([Buffer.from('a')]), 10);
    const paths = Array.from({ length: 501 }, (_, index) => `${index}.txt`);
    const before = await tree();
    const saved = paths.map((path) => ({ path, blob, size: 1 }));
    expect(await storeWritten(ctx, project.id, userId, { saved, deleted: [] }, session.id)).toEqual([]);
    expect(await tree()).toHaveLength(before.length + 501);
    const capital = { saved: [{ path: '1.TXT', blob, size: 1 }], deleted: paths.map((path) => ({ path, blob })) };
    expect(await storeWritten(ctx, project.id, userId, capital, session.id)).toEqual([]);
    expect(await tree()).toEqual([...before, '1.txt'].sort());
  });
});
