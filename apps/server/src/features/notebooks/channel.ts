import { executableKind, type NotebookMode, notebookCommands, topics } from '@atoll/contract';
import type { Context } from '../../platform/context.ts';
import { denied, notFound } from '../../platform/errors.ts';
import { checkFlag } from '../../platform/flags/check-flag.ts';
import { type ChannelCall, channel } from '../../platform/realtime/channel.ts';
import { lookAtFile } from '../files/service/changes.ts';
import { requireProject } from '../projects/service/access.ts';
import { cellLockChannels } from './keep-locks.ts';
import { type Address, requireNotebookFile } from './service/address.ts';
import { listBin } from './service/cells/bin.ts';
import { collapsing, isCollapsed } from './service/cells/collapse.ts';
import { editNotebook } from './service/cells/edit.ts';
import { setInput } from './service/cells/input.ts';
import { lockCell, unlockCells } from './service/cells/locks.ts';
import { adopt, liveCells } from './service/document/adopt.ts';
import { embeddedCell, embeddedPage } from './service/document/embedded.ts';
import { debugOf, modeOf, moreOutputs, openNotebook, type Which } from './service/document/open.ts';
import {
  assertReading,
  embeddedNotebook,
  moreOfShared,
  openShared,
  publishedNotebook,
  requireNotebookEmbed,
} from './service/document/shared.ts';
import { restoreVersion, saveAhead, saveVersion } from './service/document/versions.ts';
import {
  interruptNotebook,
  replyInput,
  restartKernel,
  selectKernel,
  setMemory,
  stopKernel,
  toggleAutorun,
  toggleGpu,
  toggleParallel,
} from './service/kernel/kernel.ts';
import { excelSheets, projectFiles } from './service/kernel/snippets.ts';
import { atOwner } from './service/queue/at-owner.ts';
import { cancelJobs, enqueue, moveJob } from './service/queue/queue.ts';
import { notebookRunnerOf } from './service/queue/runner.ts';
import { saveNotebook } from './service/save.ts';

const notebookTopic = { ...topics.notebook, commands: notebookCommands };
type Call = ChannelCall<typeof notebookTopic>;

/**
 * The mode of this window: the lesser of the mode it wanted when it joined and the mode that the person's rights allow now.
 */
interface Joined {
  mode: NotebookMode;
  wanted: NotebookMode;
  which: Which & { publicationId?: string };
}
const joinedOf = ({ channel }: Call): Joined => channel.state.notebook as unknown as Joined;

const order: NotebookMode[] = ['view', 'input', 'edit'];
const lesser = (one: NotebookMode, other: NotebookMode): NotebookMode =>
  order.indexOf(one) < order.indexOf(other) ? one : other;

function requireMode(call: Call, needed: NotebookMode): Address {
  const { mode } = joinedOf(call);
  if (order.indexOf(mode) >= order.indexOf(needed)) return { ...call.params };
  const advice = mode === 'view' ? 'This notebook is read only.' : 'Only inputs can be changed here.';
  throw denied('no_permissions', advice);
}

const edit = (ctx: Context, call: Call, operations: Parameters<typeof editNotebook>[2]) =>
  editNotebook(ctx, requireMode(call, 'edit'), operations, { channelId: call.channel.id });

const run = (ctx: Context, call: Call, cellIds: string[] | null) => {
  const address = requireMode(call, 'input');
  const runner = notebookRunnerOf(ctx);
  const ahead = runner.ahead(ctx, address);
  return enqueue(ctx, address, { cellIds, wake: (first) => runner.wake(address, first && { ...first, ahead }) });
};

const notebookChannel = channel({
  topic: notebookTopic,
  async authorize(ctx, { projectId, fileId }, { publication_id }) {
    if (publication_id) {
      await publishedNotebook(ctx, { projectId, fileId }, publication_id);
      return;
    }
    await requireProject(ctx, ctx.db, projectId, 'project.view_source');
    const { path } = await requireNotebookFile(ctx.db, { projectId, fileId });
    if (executableKind(path) === 'canvas') checkFlag(ctx, 'canvas');
  },
  isStill: ({ publication_id }) => publication_id !== undefined,
  assertCommand(event, { publication_id }) {
    if (publication_id !== undefined) assertReading(event);
  },
  async joined(ctx, { params, channel }, input) {
    if (input.publication_id) {
      channel.state.notebook = { mode: 'view', wanted: 'view', which: { publicationId: input.publication_id } };
      return { mode: 'view' as const };
    }
    const { abilities } = await requireProject(ctx, ctx.db, params.projectId, 'project.view_source');
    const isPast = input.version_id !== undefined || input.with_last_ok_run === true;
    const wanted: NotebookMode = input.view_only || isPast ? 'view' : input.input_mutation ? 'input' : 'edit';
    const mode = lesser(modeOf(abilities), wanted);
    const which = { versionId: input.version_id, withLastOkRun: input.with_last_ok_run };
    channel.state.notebook = { mode, wanted, which };
    return { mode, ...(input.debug_mode && { debug: await debugOf(ctx, params.fileId) }) };
  },
  commands: {
    async get_notebook(ctx, _input, call) {
      const { mode, which } = joinedOf(call);
      const { projectId, fileId } = call.params;
      if (which.publicationId)
        return openShared(ctx, await publishedNotebook(ctx, { projectId, fileId }, which.publicationId));
      if (mode === 'edit') {
        await requireProject(ctx, ctx.db, projectId, 'project.view_source');
        await lookAtFile(ctx, fileId, () => saveNotebook(ctx, fileId));
      }
      return { ...(await openNotebook(ctx, { ...call.params }, which)), mode };
    },
    async get_cell_output(ctx, { cell_id, from }, call) {
      const { which } = joinedOf(call);
      if (which.publicationId)
        return moreOfShared(ctx, await publishedNotebook(ctx, { ...call.params }, which.publicationId), cell_id, from);
      return moreOutputs(ctx, { ...call.params }, { cellId: cell_id, from, which });
    },
    async start_editing(ctx, _input, call) {
      await requireProject(ctx, ctx.db, call.params.projectId, 'project.edit');
      requireMode(call, 'edit');
      return { mode: joinedOf(call).mode };
    },
    async start_editing_cell(ctx, { cell_id, tag, takeover }, call) {
      const address = requireMode(call, 'edit');
      await requireProject(ctx, ctx.db, address.projectId, 'project.edit');
      const window = { channelId: call.channel.id, tag, isTakeover: takeover };
      const locks = await ctx.write((write) => lockCell(ctx, write, address, cell_id, window));
      cellLockChannels(ctx).add(call.channel.id);
      return { locks };
    },
    async stop_editing_cell(ctx, { cell_id }, call) {
      const address = requireMode(call, 'edit');
      await requireProject(ctx, ctx.db, address.projectId, 'project.edit');
      return { locks: await unlockCells(ctx, address, call.channel.id, cell_id) };
    },

    edit: (ctx, { operations }, call) => edit(ctx, call, operations),
    insert_cell: (ctx, input, call) => edit(ctx, call, [{ op: 'insert_cell', ...input }]),
    move_cell: (ctx, input, call) => edit(ctx, call, [{ op: 'move_cell', ...input }]),
    delete_cell: (ctx, input, call) => edit(ctx, call, [{ op: 'delete_cell', ...input }]),
    restore_cell: (ctx, input, call) => edit(ctx, call, [{ op: 'restore_cell', ...input }]),
    set_cell_type: (ctx, input, call) => edit(ctx, call, [{ op: 'set_cell_type', ...input }]),
    update_cell_source: (ctx, input, call) => edit(ctx, call, [{ op: 'update_cell_source', ...input }]),
    update_cell_metadata: (ctx, input, call) => edit(ctx, call, [{ op: 'update_cell_metadata', ...input }]),
    update_metadata: (ctx, input, call) => edit(ctx, call, [{ op: 'update_metadata', ...input }]),
    select_theme: (ctx, { theme, cell_id }, call) => {
      const metadata = { atoll: { theme } };
      if (cell_id === undefined) return edit(ctx, call, [{ op: 'update_metadata', metadata }]);
      return edit(ctx, call, [{ op: 'update_cell_metadata', cell_id, metadata }]);
    },
    async toggle_cell_collapsed(ctx, { cell_id, part, is_collapsed }, call) {
      const [cell] = await cellsHere(ctx, call, cell_id);
      if (!cell) throw notFound('This cell');
      return edit(ctx, call, [collapsing(cell_id, part, is_collapsed ?? !isCollapsed(cell, part))]);
    },
    async toggle_all_cells_collapsed(ctx, { part, is_collapsed }, call) {
      const cells = (await cellsHere(ctx, call)).filter((cell) => isCollapsed(cell, part) !== is_collapsed);
      return edit(
        ctx,
        call,
        cells.map(({ id }) => collapsing(id, part, is_collapsed)),
      );
    },
    clear_cell_output: (ctx, input, call) => edit(ctx, call, [{ op: 'clear_cell_output', ...input }]),
    async clean(ctx, { restart }, call) {
      const address = requireMode(call, 'edit');
      const cells = await cellsHere(ctx, call);
      const change = await edit(
        ctx,
        call,
        cells.filter(({ shown }) => shown !== 'nothing').map(({ id }) => ({ op: 'clear_cell_output', cell_id: id })),
      );
      if (restart) await restartKernel(ctx, address);
      return change;
    },
    list_bin: (ctx, _input, call) => listBin(ctx, { ...call.params }),
    set_input: (ctx, { cell_id, value }, call) => setInput(ctx, requireMode(call, 'input'), cell_id, value),

    execute_cell: (ctx, { cell_id }, call) => run(ctx, call, [cell_id]),
    execute_cells: (ctx, { cell_ids }, call) => run(ctx, call, cell_ids),
    async execute_all_cells(ctx, { restart }, call) {
      if (restart) await restartKernel(ctx, requireMode(call, 'input'));
      return run(ctx, call, null);
    },
    cancel_execution: (ctx, { ids }, call) => cancelJobs(ctx, requireMode(call, 'input'), ids),
    move_execution: (ctx, { id, after_id }, call) => moveJob(ctx, requireMode(call, 'input'), id, after_id),
    reply_input: (ctx, { id, value }, call) => replyInput(ctx, requireMode(call, 'input'), id, value),
    interrupt: (ctx, { id }, call) => interruptNotebook(ctx, requireMode(call, 'input'), id),
    restart: (ctx, _input, call) => restartKernel(ctx, requireMode(call, 'input')),
    stop_kernel: (ctx, _input, call) => stopKernel(ctx, requireMode(call, 'input')),

    select_kernel: (ctx, { kernel }, call) => selectKernel(ctx, requireMode(call, 'input'), kernel),
    set_memory: (ctx, { tier }, call) => setMemory(ctx, requireMode(call, 'input'), tier),
    toggle_gpu: (ctx, { is_gpu }, call) => toggleGpu(ctx, requireMode(call, 'input'), is_gpu),
    toggle_autorun_after_files_updated: (ctx, { is_enabled }, call) =>
      toggleAutorun(ctx, requireMode(call, 'edit'), is_enabled),
    toggle_parallel_execution_enabled: (ctx, { is_enabled }, call) =>
      toggleParallel(ctx, requireMode(call, 'edit'), is_enabled),

    save_version: (ctx, { name }, call) => saveVersion(ctx, requireMode(call, 'edit'), name),
    async restore_version(ctx, { version_id }, call) {
      await restoreVersion(ctx, requireMode(call, 'edit'), version_id);
      return { ok: true };
    },

    get_completions: (ctx, { code, cursor }, call) =>
      atOwner(ctx, requireMode(call, 'input'), 'completions', code, cursor),
    get_documentation: (ctx, { code, cursor, detail }, call) =>
      atOwner(ctx, requireMode(call, 'input'), 'documentation', code, cursor, detail),
    execute_code: (ctx, { code }, call) => atOwner(ctx, requireMode(call, 'edit'), 'executeCode', code),
    vars_list: (ctx, _input, call) => atOwner(ctx, requireMode(call, 'input'), 'listVariables'),
    dataframe_columns: (ctx, { name }, call) => atOwner(ctx, requireMode(call, 'input'), 'frameColumns', name),
    get_frame_page: (ctx, input, call) => atOwner(ctx, requireMode(call, 'input'), 'framePage', input),
    excel_sheets: (ctx, { path }, call) => excelSheets(ctx, { ...call.params }, path),
    s3_files: (ctx, { search }, call) => projectFiles(ctx, { ...call.params }, search),
    comm_message: (ctx, input, call) => atOwner(ctx, requireMode(call, 'input'), 'sendComm', input),
    get_widgets: (ctx, _input, call) => atOwner(ctx, { ...call.params }, 'widgetsOf'),
  },
  before: {
    save_version: (ctx, _input, call) => saveAhead(ctx, requireMode(call, 'edit')),
    restore_version: (ctx, _input, call) => saveAhead(ctx, requireMode(call, 'edit')),
    // The first window that asks for kinds starts the kernel host.
    select_kernel: async (ctx) => (await ctx.kernels.host()).kinds(),
  },
  async recheck(ctx, call) {
    const { params, channel } = call;
    const joined = joinedOf(call);
    if (joined.which.publicationId) return null;
    const { abilities } = await requireProject(ctx, ctx.db, params.projectId, 'project.view_source');
    const mode = lesser(modeOf(abilities), joined.wanted);
    if (mode === joined.mode) return null;
    joined.mode = mode;
    if (mode !== 'edit') {
      // The window gets its new mode even when the release fails, because a lock expires by itself.
      const release = () => unlockCells(ctx, { ...params }, channel.id);
      await cellLockChannels(ctx)
        .letGo(channel.id, false, release)
        .catch((error: unknown) => ctx.log.error({ error }, 'Cells could not be let go of'));
    }
    return { mode };
  },
  async left(ctx, { params, channel }, why) {
    if ((channel.state.notebook as unknown as Joined | undefined)?.which.publicationId) return;
    const release = () => unlockCells(ctx, { ...params }, channel.id);
    await cellLockChannels(ctx).letGo(channel.id, why === 'disconnected', release);
  },
});

async function cellsHere(ctx: Context, call: Call, cellId?: string) {
  const address = requireMode(call, 'edit');
  await requireProject(ctx, ctx.db, address.projectId, 'project.edit');
  const cells = await ctx.write(async (write) => {
    await adopt(ctx, write, address);
    return liveCells(write.tx, address.fileId);
  });
  return cellId === undefined ? cells : cells.filter(({ id }) => id === cellId);
}

const embedded = channel({
  topic: topics.embeddedCell,
  async authorize() {},
  async joined(ctx, { params, channel }, input) {
    const address = { projectId: input.project_id, fileId: input.file_id };
    const found = await embeddedCell(ctx, address, params.cellId, input);
    channel.state.embedded = { ...address };
    return found;
  },
  commands: {
    fetch_cell_output: (ctx, input, { params, channel }) =>
      embeddedPage(ctx, channel.state.embedded as unknown as Address, params.cellId, input),
  },
});

const embeddedNotebookChannel = channel({
  topic: topics.embeddedNotebook,
  async authorize(ctx, { embedId }) {
    await requireNotebookEmbed(ctx, embedId);
  },
  joined: async () => ({ mode: 'view' as const }),
  commands: {
    get_notebook: async (ctx, _input, { params }) => openShared(ctx, await embeddedNotebook(ctx, params.embedId)),
    get_cell_output: async (ctx, { cell_id, from }, { params }) =>
      moreOfShared(ctx, await embeddedNotebook(ctx, params.embedId), cell_id, from),
  },
});

export const notebookChannels = [notebookChannel, embedded, embeddedNotebookChannel];
