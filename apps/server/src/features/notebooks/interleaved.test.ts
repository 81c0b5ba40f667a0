import type { Notebook, ProjectFile } from '@atoll/contract';
import { readNotebook } from '@atoll/notebook';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Context } from '../../platform/context.ts';
import { AppError } from '../../platform/errors.ts';
import { interleave, useInterleaving } from '../../test/set-ups/interleaving.ts';
import { code, notebook } from '../../test/set-ups/notebooks.ts';
import { createSharedApp, createTestApp, type TestApp } from '../../test/test-app.ts';
import { updateFile } from '../files/service/files.ts';
import { restoreVersion as restoreFileVersion } from '../files/service/versions.ts';
import { fileVersions } from '../files/table.ts';
import { findUser, personOf } from '../users/service.ts';
import { editNotebook } from './service/cells/edit.ts';
import { openNotebook } from './service/document/open.ts';
import { restoreVersion, saveVersion } from './service/document/versions.ts';
import { enqueue } from './service/queue/queue.ts';
import { saveNotebook } from './service/save.ts';

/** Runs two actions on one notebook: the first stops before each of its statements in turn, and the second runs there. */

interface Stage {
  projectId: string;
  fileId: string;
  firstVersionId: string;
  uploadId: string;
}

const insert = (ctx: Context, stage: Stage, id: string) => {
  const cell = { id, type: 'code' as const, source: id, metadata: {}, attachments: null };
  const operation = { op: 'insert_cell' as const, cell, after_id: null };
  return editNotebook(ctx, stage, [operation], { channelId: null });
};

const acts = {
  edit: (ctx: Context, stage: Stage) => insert(ctx, stage, 'edited'),
  save: (ctx: Context, { fileId }: Stage) => saveNotebook(ctx, fileId),
  'save version': (ctx: Context, stage: Stage) => saveVersion(ctx, stage, 'Kept'),
  restore: (ctx: Context, stage: Stage) => restoreVersion(ctx, stage, stage.firstVersionId),
  'restore file': (ctx: Context, { projectId, fileId, firstVersionId }: Stage) =>
    restoreFileVersion(ctx, projectId, fileId, firstVersionId),
  upload: (ctx: Context, { projectId, fileId, uploadId }: Stage) =>
    updateFile(ctx, projectId, fileId, { upload_id: uploadId }),
  rename: (ctx: Context, { projectId, fileId }: Stage) =>
    updateFile(ctx, projectId, fileId, { name: `renamed-${fileId}.ipynb` }),
  run: (ctx: Context, stage: Stage) => enqueue(ctx, stage, { cellIds: ['typed'], wake() {} }),
  read: (ctx: Context, stage: Stage) => openNotebook(ctx, stage),
};
type Act = keyof typeof acts;
const replacing: Act[] = ['restore', 'restore file', 'upload'];

let one: TestApp;
let other: TestApp;
let token: string;
let projectId: string;
let contexts: [Context, Context];
let uploads: { first: string; next: string };
const output = { name: 'stdout', output_type: 'stream', text: 'shown' };

one = await createSharedApp();
beforeAll(async () => {
  other = await createTestApp({ beside: one, env: { ATOLL_DATA: one.config.dataFolder }, keepOpen: true });
  const ada = await one.person();
  token = ada.token;
  projectId = (await one.project(token)).id;
  const user = await findUser(one.db, ada.id);
  if (!user) throw new Error('There is no such person');
  uploads = {
    first: await one.upload(token, notebook(code('base', 'base', [output])), 'x'),
    next: await one.upload(token, notebook(code('uploaded', 'uploaded')), 'x'),
  };
  contexts = [one.ctx.as(personOf(user)), other.ctx.as(personOf(user))];
});
afterAll(() => other.close());
useInterleaving();

let made = 0;

/** Sets up a notebook with a cell that was typed and stored, and is not in the file yet. */
async function setStage(ctx: Context): Promise<Stage> {
  made += 1;
  const body = { name: `n${made}.ipynb`, upload_id: uploads.first };
  const { body: file } = await one.post<ProjectFile>(token, `/v1/notebooks/${projectId}/files-contents`, body);
  const { id: fileId, version_id: firstVersionId } = file;
  const uploadId = uploads.next;
  const stage = { projectId, fileId, firstVersionId, uploadId };
  await insert(ctx, stage, 'typed');
  return stage;
}

const idsIn = ({ cells }: { cells: { id: string }[] }) => cells.map(({ id }) => id).sort();

async function history({ fileId }: Stage) {
  const versions = await one.db.select().from(fileVersions).where(eq(fileVersions.fileId, fileId));
  const ids = await Promise.all(
    versions.map(async ({ blob }) => {
      const chunks: Buffer[] = [];
      for await (const chunk of (await one.ctx.blobs.get(blob)) ?? []) chunks.push(chunk as Buffer);
      return idsIn(readNotebook(Buffer.concat(chunks).toString()));
    }),
  );
  return { names: versions.flatMap(({ name }) => name ?? []), ids: ids.flat() };
}

async function overtake([first, second]: readonly [Act, Act], before: number, [here, there]: [Context, Context]) {
  const stage = await setStage(here);
  const acting = { first: () => acts[first](here, stage), second: () => acts[second](there, stage), before };
  const { one: a, other: b, count } = await interleave<unknown, unknown>(one.db, acting);
  const done = { [first]: a, [second]: b } as Record<Act, PromiseSettledResult<unknown> | undefined>;
  await expectAllKept(stage, done, here);
  return count;
}

async function expectAllKept(stage: Stage, done: Record<Act, PromiseSettledResult<unknown> | undefined>, ctx: Context) {
  const isDone = (act: Act) => done[act]?.status === 'fulfilled';
  for (const outcome of Object.values(done)) {
    if (outcome?.status !== 'rejected') continue;
    const { reason } = outcome;
    if (!(reason instanceof AppError) || reason.code !== 'conflict') throw reason;
  }
  await saveNotebook(ctx, stage.fileId);
  const now = await openNotebook(ctx, stage);
  const { names, ids } = await history(stage);
  const isReplaced = replacing.some(isDone);
  const answered = ['typed', ...(isDone('edit') ? ['edited'] : [])];
  expect(ids).toEqual(expect.arrayContaining(answered));
  if (!isReplaced) expect(idsIn(now)).toEqual(expect.arrayContaining(answered));
  if (isDone('upload')) expect(ids).toContain('uploaded');
  if (isDone('upload') && !isDone('restore') && !isDone('restore file')) expect(idsIn(now)).toContain('uploaded');
  if (!isDone('upload') && !isDone('restore file')) expect(names).not.toContain('Edits before the file was replaced');
  for (const each of [now, ...(done.read?.status === 'fulfilled' ? [done.read.value as Notebook] : [])]) {
    if (!isReplaced) expect(idsIn(each)).toContain('typed');
    const base = each.cells.find(({ id }) => id === 'base');
    if (base) expect(base.outputs).toEqual([output]);
    else expect(idsIn(each)).toContain('uploaded');
  }
}

const named = ['edit', 'save', 'restore', 'upload', 'rename'] as const;
const pairs: (readonly [Act, Act])[] = [
  ...named.flatMap((first) => named.filter((second) => second !== first).map((second) => [first, second] as const)),
  ['read', 'save'],
  ['read', 'restore'],
  ['read', 'upload'],
  ['save', 'save version'],
  ['edit', 'run'],
  ['run', 'save'],
  ['edit', 'restore file'],
];

async function overtakeEverywhere(pair: readonly [Act, Act], servers: [Context, Context]) {
  for (let before = 2; ; before++) if ((await overtake(pair, before, servers)) < before) return;
}

test.each(pairs)('loses nothing when %s is overtaken by %s at each of its statements', (...pair) =>
  overtakeEverywhere(pair, [contexts[0], contexts[0]]),
);

/** These pairs share no memory, only the database, so they test the locks in the database. */
const between: (readonly [Act, Act])[] = [
  ['edit', 'save'],
  ['edit', 'restore'],
  ['edit', 'upload'],
  ['save', 'edit'],
  ['save', 'save version'],
  ['save', 'upload'],
  ['restore', 'edit'],
  ['read', 'save'],
];

test.each(between)('loses nothing when %s is overtaken by %s on another server', (...pair) =>
  overtakeEverywhere(pair, contexts),
);
