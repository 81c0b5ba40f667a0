import { mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import {
  type FramePage,
  type KernelInfo,
  type KernelNotice,
  type Notebook,
  type Run,
  type RunDetail,
  type Template,
  topicName,
  topics,
  type Variable,
} from '@atoll/contract';
import { describe, expect, test, vi } from 'vitest';
import { connect, join } from '../../test/realtime-client.ts';
import { code, text } from '../../test/set-ups/notebooks.ts';
import { createSharedApp, createTestApp, type TestApp } from '../../test/test-app.ts';

/** Notebooks on a real kernel with pandas and DuckDB. */

type Fields = Record<string, unknown>;

const app = await createSharedApp({ kernels: 'real' });

async function notebookOf(sources: [type: string, source: string][]) {
  const { token } = await app.person();
  const found = { atoll: { type: 'sql', variable: 'found' } };
  const cells = sources.map(([type, source], index) =>
    type === 'markdown' ? text(source, `c${index}`) : code(source, `c${index}`, [], type === 'sql' ? found : {}),
  );
  const { id: projectId, fileId } = await app.notebookProject(token, cells);
  const address = { projectId, fileId };
  const topic = await join(await connect(app, token), topicName(topics.notebook, address));
  const send = (event: string, input: Fields = {}) => topic.push(event, { request_id: crypto.randomUUID(), ...input });
  const read = async () => (await topic.push('get_notebook', {})) as unknown as Notebook;
  const run = async () => {
    await send('execute_all_cells');
    await expect.poll(async () => (await read()).queue.length, { interval: 200 }).toBe(0);
    return (await read()).cells;
  };
  return { token, topic, send, read, run, ...address };
}

const bundleOf = (outputs: Notebook['cells'][number]['outputs']) =>
  outputs.flatMap((output) => ('data' in output ? [output.data] : []))[0] ?? {};

describe('a notebook on a real kernel', () => {
  test('updates the outputs of an earlier cell, also when these were saved; not when they were cleared', async () => {
    const { token, projectId, fileId, run, send, read, topic } = await notebookOf([
      ['code', 'from IPython import display as shown\n_ = shown.display("before", display_id="shared")'],
      ['code', 'shown.update_display("after", display_id="shared")'],
      ['code', 'shown.update_display("again", display_id="shared")'],
      // Writes like tqdm, without its limit on the update rate.
      [
        'code',
        'import sys\nprint("begin", flush=True)\nfor n in range(2001):\n    bar = "█" * (n // 200)\n    sys.stderr.write(f"\\r{n / 20:3.0f}%|{bar:<10}| {n}/2000")\n    sys.stderr.flush()\nprint(file=sys.stderr, flush=True)\nprint("end")',
      ],
    ]);
    const shown = async () => bundleOf((await read()).cells[0]?.outputs ?? [])['text/plain'];
    const [first, , , bar] = await run();
    expect(bundleOf(first?.outputs ?? [])['text/plain']).toBe("'again'");
    // A progress bar keeps only its last state, and most of its steps are not sent.
    expect(bar?.outputs).toEqual([
      { output_type: 'stream', name: 'stdout', text: 'begin\n' },
      { output_type: 'stream', name: 'stderr', text: '100%|██████████| 2000/2000\n' },
      { output_type: 'stream', name: 'stdout', text: 'end\n' },
    ]);
    const told = topic.events.filter(({ payload }) => (payload.execution as Fields | undefined)?.cell === 'c3');
    const changes = told.flatMap(({ payload }) => payload.changes as unknown[]);
    expect(changes.length).toBeGreaterThanOrEqual(3);
    expect(changes.length).toBeLessThan(1_000);
    const { version } = await read();
    await send('save_version', { name: 'Saved' });
    await expect.poll(async () => (await read()).version).toBeGreaterThan(version);
    const after = async () => {
      await send('execute_cell', { cell_id: 'c1' });
      await expect.poll(async () => (await read()).queue.length).toBe(0);
      return shown();
    };
    expect(await after()).toBe("'after'");
    // The outputs change while the file is written, so that the file has the former ones.
    const { blobs } = app.app.system();
    const put = blobs.put.bind(blobs);
    const isWritten = Promise.withResolvers<void>();
    const isChanged = Promise.withResolvers<void>();
    vi.spyOn(blobs, 'put').mockImplementationOnce(async (...content) => {
      isWritten.resolve();
      await isChanged.promise;
      return put(...content);
    });
    const other = await join(await connect(app, token), topicName(topics.notebook, { projectId, fileId }));
    const saved = other.push('save_version', { request_id: crypto.randomUUID(), name: 'Changed meanwhile' });
    await isWritten.promise;
    await send('execute_cell', { cell_id: 'c2' });
    await expect.poll(shown).toBe("'again'");
    await expect.poll(async () => (await read()).queue.length).toBe(0);
    isChanged.resolve();
    await saved;
    expect(await shown()).toBe("'again'");
    await send('clear_cell_output', { cell_id: 'c0' });
    expect(await after()).toBeUndefined();
  });

  test('shows tables by pages, queries them with SQL, and lists variables', async () => {
    const { run, topic } = await notebookOf([
      [
        'code',
        'import pandas as pd\ndf = pd.DataFrame({"n": range(1000), "name": [f"row {i}" for i in range(1000)]})\ndf',
      ],
      ['sql', 'select count(*) as many, max(n) as most from df where n >= 990'],
      ['code', 'found["many"][0] * 2'],
      ['code', 'open("data.csv", "w").write("a,b\\n1,x\\n2,y\\n")'],
      ['sql', "select sum(a) as total from 'data.csv'"],
      ['code', 'least, names = df["n"].max() - 10, ["row 1", "row 998", "\') or true; drop table kept; --"]'],
      [
        'sql',
        "create or replace temp table kept as from df where n >= $least; select n from kept where name in $names and '$x' = '$x'",
      ],
      ['sql', 'select * from df where n = $nothing'],
    ]);
    const cells = await run();
    const page = bundleOf(cells[0]?.outputs ?? [])['application/vnd.atoll.dataframe+json'] as FramePage;
    expect(page).toMatchObject({
      total: 1000,
      columns_total: 2,
      columns: [
        { name: 'n', type: 'integer' },
        { name: 'name', type: 'text' },
      ],
    });
    expect(page.rows[1]).toEqual([1, 'row 1']);
    expect(bundleOf(cells[1]?.outputs ?? [])['application/vnd.atoll.dataframe+json']).toMatchObject({
      rows: [[10, 999]],
    });
    expect(bundleOf(cells[2]?.outputs ?? [])['text/plain']).toContain('20');
    expect(bundleOf(cells[4]?.outputs ?? [])['application/vnd.atoll.dataframe+json']).toMatchObject({ rows: [[3]] });
    expect(bundleOf(cells[6]?.outputs ?? [])['application/vnd.atoll.dataframe+json']).toMatchObject({ rows: [[998]] });
    expect(cells[7]?.outputs).toMatchObject([
      { ename: 'NameError', evalue: expect.stringContaining('asks for $nothing, and there is no variable') },
    ]);

    const question = { frame_id: page.frame_id, offset: 2, limit: 3, sort: [{ column: 0, is_descending: true }] };
    const filters = [{ column: 0, comparison: '<', value: '500' }];
    const later = (await topic.push('get_frame_page', { ...question, filters })) as unknown as FramePage;
    expect(later).toMatchObject({
      total: 500,
      all: 1000,
      rows: [
        [497, 'row 497'],
        [496, 'row 496'],
        [495, 'row 495'],
      ],
    });
    const found = (await topic.push('get_frame_page', { name: 'df', search: 'row 77' })) as unknown as FramePage;
    expect(found.total).toBe(11);

    const { variables } = (await topic.push('vars_list', {})) as unknown as { variables: Variable[] };
    expect(variables.map(({ name, type, shape }) => [name, type, shape])).toEqual([
      ['df', 'DataFrame', '1000 × 2'],
      ['found', 'DataFrame', '1 × 1'],
      ['least', 'int64', ''],
      ['names', 'list', '3'],
    ]);
    expect(await topic.push('dataframe_columns', { name: 'df' })).toMatchObject({ columns: [{ name: 'n' }, {}] });
    // A kernel that does not answer in time returns none; on a busy machine this happens at the first request.
    await expect
      .poll(() => topic.push('get_completions', { code: 'df.hea', cursor: 6 }))
      .toMatchObject({ matches: [{ text: 'head' }], from: 3, to: 6 });
    await expect
      .poll(async () => JSON.stringify(await topic.push('get_documentation', { code: 'df.head', cursor: 7 })))
      .toContain('head');
    expect(await topic.push('execute_code', { code: 'print(1 + 1)' })).toEqual({
      outputs: [{ output_type: 'stream', name: 'stdout', text: '2\n' }],
      state: 'ok',
    });
  });

  test('keeps widgets alive, and gives their state to later windows and to readers of the file', async () => {
    const { token, projectId, fileId, run, read, send, topic } = await notebookOf([
      ['code', 'import ipywidgets as w\nslider = w.IntSlider(value=3)\nslider'],
      ['code', 'doubled = []\nslider.observe(lambda change: doubled.append(change["new"] * 2), "value")'],
    ]);
    const cells = await run();
    const view = bundleOf(cells[0]?.outputs ?? [])['application/vnd.jupyter.widget-view+json'] as { model_id: string };
    const widgets = async () =>
      ((await topic.push('get_widgets', {})) as { widgets: Record<string, { state: Fields }> }).widgets[view.model_id]
        ?.state;
    expect(await widgets()).toMatchObject({ _model_name: 'IntSliderModel', value: 3 });
    const data = { method: 'update', state: { value: 21 }, buffer_paths: [] };
    await topic.push('comm_message', { comm_id: view.model_id, type: 'comm_msg', data });
    await expect
      .poll(() => topic.push('execute_code', { code: 'print(doubled)' }))
      .toMatchObject({ outputs: [{ text: '[42]\n' }] });
    await expect.poll(async () => (await widgets())?.value).toBe(21);

    await send('insert_cell', { cell: { id: 'late', source: '' }, after_id: 'c1' });
    const path = `/v1/projects/${projectId}/files/${fileId}/export`;
    const { body } = await app.call<Fields>('POST', path, { token, body: { type: 'ipynb' } });
    const file = (typeof body === 'string' ? JSON.parse(body) : body) as { metadata: Fields };
    const saved = (file.metadata.widgets as Fields)['application/vnd.jupyter.widget-state+json'];
    expect(saved).toMatchObject({
      state: {
        [view.model_id]: {
          model_name: 'IntSliderModel',
          model_module_version: expect.stringMatching(/^2/),
          state: { value: 21 },
        },
      },
      version_major: 2,
    });
    // The state has the layout and the style of the slider, and no models that are not shown.
    expect(Object.keys((saved as { state: Fields }).state)).toHaveLength(3);
    await send('stop_kernel', {});
    await expect.poll(async () => (await read()).kernel.state).toBe('ended');
    expect(await widgets()).toBeUndefined();
    expect((await read()).head.metadata.widgets).toEqual(file.metadata.widgets);
  });

  test('keeps the picture of a widget for later windows and in the file', async () => {
    const { token, projectId, fileId, run, topic } = await notebookOf([
      ['code', 'import ipywidgets as w\npicture = w.Image(value=b"one")\npicture'],
      ['code', 'picture.value = b"two"'],
    ]);
    const cells = await run();
    const view = bundleOf(cells[0]?.outputs ?? [])['application/vnd.jupyter.widget-view+json'] as { model_id: string };
    const buffers = [{ path: ['value'], encoding: 'base64', data: Buffer.from('two').toString('base64') }];
    expect(await topic.push('get_widgets', {})).toMatchObject({ widgets: { [view.model_id]: { buffers } } });
    const path = `/v1/projects/${projectId}/files/${fileId}/export`;
    const { body } = await app.call<Fields>('POST', path, { token, body: { type: 'ipynb' } });
    expect((body.metadata as Fields).widgets).toMatchObject({
      'application/vnd.jupyter.widget-state+json': { state: { [view.model_id]: { buffers } } },
    });
  });

  test('runs cells in parallel on request, each with its own end and outputs', async () => {
    const { send, read, run, topic } = await notebookOf([
      ['code', 'import threading, time\nfirst, second = threading.Event(), threading.Event()'],
      ['code', 'first.set()\nprint("one", second.wait(60))\n"of one"'],
      ['code', 'second.set()\nprint("two", first.wait(60))\n"of two"'],
      ['code', 'print("before", flush=True)\nwhile True: pass'],
      ['code', 'print("asleep", flush=True)\ntime.sleep(1000)'],
      ['code', '1/0'],
      ['code', 'answer = input("Who? ")\nanswer'],
      ['code', 'print("never")'],
    ]);
    const enable = (is_enabled: boolean) => send('toggle_parallel_execution_enabled', { is_enabled });
    const cell = (id: string) => send('execute_cell', { cell_id: id });
    const queue = async () => (await read()).queue.map(({ cell_id, state }) => `${cell_id} ${state}`).toSorted();
    const settled = (expected: string[]) => expect.poll(queue, { interval: 100 }).toEqual(expected);
    const shown = async (id: string) => {
      const found = (await read()).cells.find((each) => each.id === id);
      const texts = (found?.outputs ?? []).map((output) =>
        output.output_type === 'stream' ? output.text : 'data' in output ? output.data['text/plain'] : output.ename,
      );
      return { texts, state: found?.execution?.state, reason: found?.execution?.reason };
    };
    await expect(enable(true)).rejects.toThrow('no_kernel');
    await cell('c0');
    await settled([]);
    expect((await read()).kernel.features).toContain('subshells');
    expect(await enable(true)).toEqual({
      settings: { is_autorun_after_files_updated: false, is_parallel_execution_enabled: true },
    });

    // Each cell waits for the other one; a batch of two still runs in order.
    await cell('c1');
    await cell('c2');
    await settled([]);
    expect(await shown('c1')).toMatchObject({ texts: ['one True\n', "'of one'"], state: 'ok' });
    expect(await shown('c2')).toMatchObject({ texts: ['two True\n', "'of two'"], state: 'ok' });

    await cell('c3');
    await cell('c4');
    await send('execute_cells', { cell_ids: ['c5', 'c7'] });
    await settled(['c3 running', 'c4 running']);
    expect(await shown('c5')).toMatchObject({ texts: ['ZeroDivisionError'], state: 'error' });
    expect(await shown('c7')).toMatchObject({ texts: [] });
    await cell('c6');
    const asked = await topic.event('queue_changed', ({ changed }) =>
      (changed as Notebook['queue']).some((each) => each.question),
    );
    const [{ id } = { id: '' }] = asked.changed as Notebook['queue'];
    await send('reply_input', { id, value: 'Ada' });
    await settled(['c3 running', 'c4 running']);
    expect(await shown('c6')).toMatchObject({ texts: ["'Ada'"], state: 'ok' });

    // A cell does not run in parallel with itself; removing it from the queue does not affect running cells.
    const again = (await cell('c3')) as unknown as Pick<Notebook, 'queue'>;
    await settled(['c3 running', 'c3 waiting', 'c4 running']);
    await send('cancel_execution', { ids: again.queue.map((each) => each.id) });
    await settled(['c3 running', 'c4 running']);
    await cell('c3');
    const looping = (await read()).queue.find(({ cell_id, state }) => cell_id === 'c3' && state === 'running');
    await send('interrupt', { id: looping?.id });
    // The cell that waited for it runs now.
    await settled(['c3 running', 'c4 running']);
    expect((await read()).queue.map(({ id }) => id)).not.toContain(looping?.id);
    await expect.poll(async () => (await shown('c3')).texts).toEqual(['before\n']);
    await send('interrupt');
    await settled([]);
    for (const [id, text] of [
      ['c3', 'before\n'],
      ['c4', 'asleep\n'],
    ] as const) {
      const { texts, ...end } = await shown(id);
      expect(end).toMatchObject({ state: 'aborted', reason: 'It was interrupted.' });
      // IPython itself names the interrupt once more when it comes between two statements.
      expect(texts.slice(0, 2)).toEqual([text, 'KeyboardInterrupt']);
    }

    await cell('c3');
    await cell('c4');
    await settled(['c3 running', 'c4 running']);
    await send('restart');
    await settled([]);
    for (const id of ['c3', 'c4'])
      expect(await shown(id)).toMatchObject({ state: 'aborted', reason: 'The kernel was restarted.' });

    // A run of all cells is one batch, in order.
    await enable(true);
    await send('edit', { operations: ['c3', 'c4', 'c5', 'c6'].map((cell_id) => ({ op: 'delete_cell', cell_id })) });
    await send('edit', {
      operations: ['c1', 'c2'].map((cell_id) => ({
        op: 'update_cell_source',
        cell_id,
        source: 'first.set()\nlen(In)',
      })),
    });
    const cells = await run();
    expect(cells.map(({ execution }) => execution?.state)).toEqual(['ok', 'ok', 'ok', 'ok']);
  });

  interface End {
    name: string;
    status: string;
    reason: string | null;
  }

  /** Runs the templates and returns the result of each; `isKnown` skips runs that would show nothing new. */
  async function runTemplates(app: TestApp, isKnown = (_name: string, _ends: End[]) => false): Promise<End[]> {
    const { id, token } = await app.person();
    await app.promote(id);
    const { body } = await app.call<{ entries: Template[] }>('GET', '/v1/project_templates', { token });
    // Strategies run elsewhere.
    const entries = body.entries.filter(({ kind }) => kind === 'notebook' || kind === 'canvas');
    const ends: End[] = [];
    for (const { name } of entries) {
      if (isKnown(name, ends)) continue;
      const project = await app.project(token, { template: name });
      const run = await app.call<Run>('POST', `/v1/notebooks/${project.id}/runs`, { token, body: {} });
      const get = async () =>
        (await app.call<RunDetail>('GET', `/v1/notebooks/${project.id}/runs/${run.body.id}`, { token })).body;
      await expect.poll(async () => (await get()).status, { interval: 200 }).not.toBe('running');
      const { status, error_reason } = await get();
      ends.push({ name, status, reason: error_reason });
    }
    return ends;
  }

  test('every template of the gallery runs from start to end', async () => {
    const ends = await runTemplates(app);
    expect(ends.length).toBeGreaterThanOrEqual(6);
    expect(ends.filter(({ status }) => status !== 'succeeded')).toEqual([]);
  });

  test('every template runs without bubblewrap, with packages where they can be had', async () => {
    const without = await createTestApp({ kernels: 'real' });
    const path = process.env.PATH;
    // The path has all programs that the host calls by name, except bubblewrap.
    const folder = mkdtempSync(joinPath(tmpdir(), 'atoll-path-'));
    symlinkSync('/usr/bin/chown', joinPath(folder, 'chown'));
    process.env.PATH = folder;
    const { body } = await without
      .get<{ entries: KernelInfo[]; notice: KernelNotice }>((await without.person()).token, '/v1/kernels')
      .finally(() => {
        process.env.PATH = path;
      });
    expect(body.entries).toMatchObject([{ name: 'pyodide.pyodide', isolation: 'webassembly', is_default: true }]);
    expect(body.notice).toMatchObject({
      text: expect.stringContaining('bubblewrap is not installed'),
      is_warning: false,
    });
    // A machine without a connection lacks all packages of Pyodide, so one message is enough.
    const isCutOff = ({ reason }: End) => /could not be fetched from cdn\.jsdelivr\.net/.test(reason ?? '');
    const needsPackages = (name: string) =>
      ['explore-csv', 'sql', 'forecast', 'canvas-analysis', 'canvas-dashboard'].includes(name);
    const ends = await runTemplates(without, (name, before) => needsPackages(name) && before.some(isCutOff));
    expect(ends.length).toBeGreaterThanOrEqual(6);
    for (const { name, status, reason } of ends)
      if (!(needsPackages(name) && isCutOff({ name, status, reason })))
        expect({ status, reason }, name).toEqual({ status: 'succeeded', reason: null });
  });
});
