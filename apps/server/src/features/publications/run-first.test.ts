import type { Publication, PublicationRun } from '@atoll/contract';
import { expect, onTestFinished, test, vi } from 'vitest';
import { connect, join } from '../../test/realtime-client.ts';
import { createTestApp } from '../../test/test-app.ts';
import { Runner, runnerOf } from '../runs/service/runner.ts';
import { runs } from '../runs/table.ts';
import { publishEndedRun, sweepEndedRuns } from './service/run-first.ts';
import { publicationRuns } from './table.ts';
import { code, markdown, notebook, notebookIn, publish, read } from './test-publications.ts';

test('run first: what it shows is published when the run succeeds, and the reason is told when it fails', async () => {
  const app = await createTestApp();
  const ada = await app.person();
  const { fileId } = await notebookIn(app, ada.token, notebook(markdown('# Fresh'), code('print("fresh")')));
  const state = async (id: string) =>
    (await app.get<{ run: PublicationRun | null; publication: Publication }>(ada.token, `/v1/publications/files/${id}`))
      .body;
  const begun = await publish(app, ada.token, fileId, { title: 'Fresh', access_level: 'public', run_first: true });
  expect(begun.body).toMatchObject({ access_level: 'draft', version_number: 0 });
  await expect
    .poll(async () => {
      await app.app.relay.settled();
      return (await state(fileId)).run?.state;
    })
    .toBe('published');
  expect((await state(fileId)).publication).toMatchObject({ access_level: 'public', version_number: 1 });
  expect((await read(app, 'fresh')).body.html).toContain('>fresh');

  const broken = await notebookIn(app, ada.token, notebook(code('raise ValueError("no")')));
  await publish(app, ada.token, broken.fileId, { title: 'Broken', access_level: 'public', run_first: true });
  await expect
    .poll(async () => {
      await app.app.relay.settled();
      return (await state(broken.fileId)).run?.state;
    })
    .toBe('failed');
  expect((await state(broken.fileId)).run?.reason).toBeTruthy();
  expect((await read(app, 'broken')).status).toBe(404);
});

test('run first: a server that is killed right after it has stored the run publishes its result later, once', async () => {
  const app = await createTestApp();
  const ada = await app.person();
  const { projectId, fileId } = await notebookIn(app, ada.token, notebook(code('print("late")')));
  const ctx = app.app.system();
  const topic = await join(await connect(app, ada.token), `project_files:${projectId}`);
  const killed = vi.spyOn(Runner.prototype, 'begin').mockImplementationOnce(() => {
    throw new Error('killed');
  });
  onTestFinished(() => killed.mockRestore());
  const answer = await publish(app, ada.token, fileId, { title: 'Late', access_level: 'public', run_first: true });
  expect(answer.status).toBe(500);
  const state = async () =>
    (
      await app.get<{ run: PublicationRun | null; publication: Publication }>(
        ada.token,
        `/v1/publications/files/${fileId}`,
      )
    ).body;
  const waiting = (await state()).run;
  expect(waiting).toMatchObject({ state: 'running' });
  // What a server does when it starts again.
  await runnerOf(ctx).start();
  expect(await topic.event('project_changed')).toMatchObject({ fields: ['publications'] });
  expect(await state()).toMatchObject({ run: { state: 'published' }, publication: { version_number: 1 } });

  // Its end was forgotten: the sweep finds it, while another server does, too.
  const waitAgain = () => ctx.db.update(publicationRuns).set({ state: 'running' });
  await waitAgain();
  await Promise.all([sweepEndedRuns(ctx), publishEndedRun(ctx, waiting?.run_id ?? '')]);
  expect(await state()).toMatchObject({ run: { state: 'published' }, publication: { version_number: 1 } });
  await ctx.db.update(runs).set({ status: 'error', errorReason: 'The server it ran on has stopped. Run it again.' });
  await waitAgain();
  await sweepEndedRuns(ctx);
  expect((await state()).run).toMatchObject({
    state: 'failed',
    reason: 'The server it ran on has stopped. Run it again.',
  });
});
