import { type ProjectPermission, type Publication, type Run, type TopicContract, topics } from '@atoll/contract';
import { expect, test } from 'vitest';
import { notifications } from '../features/notifications/table.ts';
import { projectGrants } from '../features/projects/table.ts';
import { connect, type JoinedTopic, JoinRefused, join } from './realtime-client.ts';
import { createTestApp, type TestApp } from './test-app.ts';

const callers = ['guest', 'stranger', 'viewer', 'reader', 'editor', 'owner', 'admin'] as const;
type Caller = (typeof callers)[number];

const readers: Caller[] = ['reader', 'editor', 'owner', 'admin'];
const writers: Caller[] = ['editor', 'owner', 'admin'];
const seeing: Caller[] = ['viewer', ...readers];
const running: Caller[] = ['owner', 'admin'];

const each = (callers: readonly Caller[], events: string): Record<string, readonly Caller[]> =>
  Object.fromEntries(
    events
      .trim()
      .split(/\s+/)
      .map((event) => [event, callers]),
  );

/** Who may join each topic of the owner's private project, and whose commands are done. A topic without a row fails. */
const expected: Record<keyof typeof topics, { join: readonly Caller[]; commands: Record<string, readonly Caller[]> }> =
  {
    projectFiles: { join: readers, commands: {} },
    file: { join: readers, commands: {} },
    lock: { join: readers, commands: { acquire: writers, release: writers } },
    collaboratorLobby: { join: seeing, commands: { update_meta: seeing } },
    notebook: {
      join: readers,
      commands: {
        ...each(readers, 'get_notebook get_cell_output excel_sheets s3_files get_widgets'),
        ...each(writers, 'start_editing start_editing_cell stop_editing_cell edit insert_cell move_cell delete_cell'),
        ...each(writers, 'restore_cell set_cell_type update_cell_source update_cell_metadata update_metadata'),
        ...each(writers, 'select_theme toggle_cell_collapsed toggle_all_cells_collapsed clear_cell_output clean'),
        ...each(writers, 'toggle_autorun_after_files_updated toggle_parallel_execution_enabled'),
        ...each(writers, 'list_bin save_version restore_version'),
        ...each(running, 'set_input execute_cell execute_cells execute_all_cells cancel_execution move_execution'),
        ...each(running, 'reply_input interrupt restart stop_kernel select_kernel set_memory toggle_gpu'),
        ...each(running, 'get_completions get_documentation execute_code vars_list dataframe_columns'),
        ...each(running, 'get_frame_page comm_message'),
        ...each(
          writers,
          'send_message interrupt_chat approve_tool_use reject_tool_use get_chat_history get_ai_request',
        ),
        ...each(writers, 'get_snapshot_changes revert_to_snapshot clear_chat update_ai_configuration'),
        ...each(writers, 'refresh_ai_configuration get_available_models ai_tool_execute'),
      },
    },
    assistant: { join: writers, commands: {} },
    embeddedCell: { join: readers, commands: { fetch_cell_output: readers } },
    embeddedNotebook: { join: callers, commands: each(callers, 'get_notebook get_cell_output') },
    comments: { join: seeing, commands: {} },
    publicationComments: { join: writers, commands: {} },
    fileComments: { join: readers, commands: {} },
    run: { join: ['editor', 'owner', 'admin'], commands: {} },
    strategy: { join: readers, commands: {} },
    person: { join: ['owner'], commands: { notification_read: ['owner'] } },
    trading: { join: ['owner'], commands: {} },
    marketPrices: { join: callers, commands: {} },
    market: { join: callers, commands: {} },
    tracking: { join: callers, commands: { track: callers } },
    trackingLive: { join: ['admin'], commands: {} },
  };

const granted: Partial<Record<Caller, ProjectPermission[]>> = {
  viewer: ['view'],
  reader: ['view', 'view_source'],
  editor: ['view', 'view_source', 'edit'],
};

const cellId = 'cell-1';
const cell = { cell_id: cellId };
const nobody = '01890000-0000-7000-8000-000000000000';
const place = { code: 'x', cursor: 1 };
const notebookInputs: Record<string, object> = {
  get_cell_output: cell,
  start_editing_cell: { ...cell, takeover: true },
  stop_editing_cell: cell,
  edit: { operations: [{ op: 'update_cell_source', ...cell, source: '1' }] },
  insert_cell: { cell: { id: 'new' }, after_id: null },
  move_cell: { ...cell, after_id: null },
  delete_cell: { cell_id: 'new' },
  restore_cell: { cell_id: 'new' },
  set_cell_type: { ...cell, type: 'code' },
  update_cell_source: { ...cell, source: '1' },
  update_cell_metadata: { ...cell, metadata: {} },
  update_metadata: { metadata: {} },
  select_theme: { theme: 'calm' },
  toggle_cell_collapsed: cell,
  toggle_all_cells_collapsed: { is_collapsed: false },
  clear_cell_output: cell,
  set_input: { ...cell, value: 1 },
  execute_cell: cell,
  execute_cells: { cell_ids: [cellId] },
  cancel_execution: { ids: [nobody] },
  move_execution: { id: nobody, after_id: null },
  reply_input: { id: nobody, value: 'x' },
  select_kernel: { kernel: null },
  set_memory: { tier: 'l1' },
  toggle_gpu: { is_gpu: false },
  toggle_autorun_after_files_updated: { is_enabled: false },
  toggle_parallel_execution_enabled: { is_enabled: false },
  restore_version: { version_id: nobody },
  get_completions: place,
  get_documentation: place,
  execute_code: { code: '1' },
  dataframe_columns: { name: 'x' },
  get_frame_page: { name: 'x' },
  excel_sheets: { path: 'x.xlsx' },
  comm_message: { comm_id: 'x', type: 'comm_msg', data: {} },
  send_message: { text: 'Hello' },
  approve_tool_use: { call_id: 'x' },
  reject_tool_use: { call_id: 'x' },
  get_snapshot_changes: { snapshot: 1 },
  revert_to_snapshot: { snapshot: 1 },
  ai_tool_execute: { name: 'list_files' },
};

async function cast(app: TestApp) {
  const owner = await app.person();
  const { id: projectId, default_file_id } = await app.project(owner.token, { create_main_file: true });
  const tokens: Partial<Record<Caller, string>> = { owner: owner.token, guest: (await app.guest()).token };
  for (const caller of ['stranger', 'viewer', 'reader', 'editor', 'admin'] as const) {
    const { id: userId, token } = await app.person();
    tokens[caller] = token;
    const permissions = granted[caller];
    const createdAt = new Date(app.clock.time);
    if (permissions) await app.database.db.insert(projectGrants).values({ projectId, userId, permissions, createdAt });
    if (caller === 'admin') await app.promote(userId);
  }
  const [notification] = await app.database.db
    .insert(notifications)
    .values({ userId: owner.id, type: 'project_transferred', projectId, createdAt: new Date(app.clock.time) })
    .returning();
  const run = await app.call<Run>('POST', `/v1/notebooks/${projectId}/runs`, { token: owner.token, body: {} });
  const draft = await app.patch<Publication>(owner.token, `/v1/publications/files/${default_file_id}`, {
    title: 'Draft',
    access_level: 'draft',
  });
  const strategy = await app.post<{ id: string }>(owner.token, `/v1/notebooks/${projectId}/files-contents`, {
    name: 'main.strat',
  });
  const embed = await app.patch<{ id: string }>(
    owner.token,
    `/v1/notebooks/${projectId}/files/${default_file_id}/embed`,
    {},
  );
  const params = {
    projectId,
    embedId: embed.body.id,
    strategyId: strategy.body.id,
    publicationId: draft.body.id,
    fileId: default_file_id ?? '',
    id: projectId,
    exchange: 'demo',
    asset: 'demo-BTC',
    userId: owner.id,
    runId: run.body.id,
    cellId,
  };
  const inputs: Record<string, object> = {
    acquire: { takeover: true },
    notification_read: { id: notification?.id },
    ...notebookInputs,
    track: { events: [{ name: 'matrix', at: new Date(app.clock.time).toISOString() }] },
  };
  return { owner, tokens, params, inputs };
}

test.each(Object.entries<TopicContract>(topics))('who may use the topic %s', async (key, topic) => {
  const row = expected[key as keyof typeof topics];
  expect(Object.keys(row.commands).sort()).toEqual(Object.keys(topic.commands).sort());
  const app = await createTestApp();
  const { tokens, params, inputs } = await cast(app);
  const name = topic.pattern.replace(/\{(\w+)\}/g, (_, param: keyof typeof params) => params[param]);
  const joined: Caller[] = [];
  const done: Record<string, Caller[]> = Object.fromEntries(Object.keys(topic.commands).map((event) => [event, []]));
  for (const caller of callers) {
    const socket = await connect(app, tokens[caller] ?? '');
    const where = key === 'embeddedCell' ? { project_id: params.projectId, file_id: params.fileId } : {};
    const channel = await join(socket, name, where).catch(refusal);
    if (channel instanceof JoinRefused) continue;
    joined.push(caller);
    for (const event of Object.keys(topic.commands)) {
      const answer = await send(channel, event, inputs[event] ?? {}, topic).catch(refusal);
      if (!(answer instanceof JoinRefused) || nothingToDo.has(String(answer.response.reason)))
        done[event]?.push(caller);
    }
  }
  expect(joined).toEqual(row.join);
  expect(done).toEqual(row.commands);
});

test('an admin who acts as the owner joins what the owner joins, and no command of theirs changes anything', async () => {
  const app = await createTestApp();
  const { owner, params, inputs } = await cast(app);
  const socket = await connect(app, await app.impersonatedToken(owner.id));
  const notJoined: Record<string, unknown> = {};
  const answers: Record<string, unknown> = {};
  for (const [key, topic] of Object.entries<TopicContract>(topics)) {
    if (!expected[key as keyof typeof topics].join.includes('owner')) continue;
    const name = topic.pattern.replace(/\{(\w+)\}/g, (_, param: keyof typeof params) => params[param]);
    const where = key === 'embeddedCell' ? { project_id: params.projectId, file_id: params.fileId } : {};
    const channel = await join(socket, name, where).catch(refusal);
    if (channel instanceof JoinRefused) {
      notJoined[key] = channel.response.reason;
      continue;
    }
    for (const [event, { isWriting }] of Object.entries(topic.commands)) {
      if (!isWriting) continue;
      const answer = await send(channel, event, inputs[event] ?? {}, topic).catch(refusal);
      answers[event] = answer instanceof JoinRefused ? answer.response.message : 'done';
    }
  }
  expect(notJoined).toEqual({ assistant: 'no_permissions', trading: 'no_permissions' });
  const refused = 'While you act as another person, you can read their pages but change nothing.';
  expect(Object.entries(answers).filter(([, answer]) => answer !== refused)).toEqual([]);
  expect(Object.keys(answers)).toContain('execute_cell');
});

const send = (channel: JoinedTopic, event: string, input: object, topic: TopicContract) =>
  channel.push(event, topic.commands[event]?.isWriting ? { request_id: crypto.randomUUID(), ...input } : { ...input });

/** Anything but a refusal is a failure of the test, and so is an input that was not understood. */
function refusal(error: unknown): JoinRefused {
  if (error instanceof JoinRefused && error.response.reason !== 'invalid') return error;
  throw error;
}

/** Whoever has joined and is told this was let in; there was merely nothing to do. */
const nothingToDo = new Set([
  'no_model',
  'not_now',
  'stale',
  'no_kernel',
  'busy',
  'conflict',
  'unprocessable_entity',
  'unsupported',
  'not_found',
]);
