import { compacted, conversationOf, messagesOf, nextCall, type Tool } from '@atoll/agent';
import { type AiConfiguration, type AiConversation, topics } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import { appState } from '../../../platform/app-state.ts';
import type { Context, Write } from '../../../platform/context.ts';
import type { DocumentAddress } from '../../../platform/document-tools.ts';
import { AppError, invalidField, notFound } from '../../../platform/errors.ts';
import {
  applyOnce,
  beginOnce,
  type ClientRequest,
  clientRequest,
  findReply,
} from '../../../platform/realtime/apply-once.ts';
import { message } from '../../../platform/realtime/stream.ts';
import type { FileRow } from '../../files/table.ts';
import { maskOf, secretsOf } from '../../kernels/service/secrets.ts';
import { aiConversations, type ConversationRow } from '../table.ts';
import {
  append,
  findConversation,
  lockConversation,
  messageOfSnapshot,
  newestEvents,
  newestTurn,
  notNow,
  requireDocument,
  someEvents,
} from './conversations.ts';
import { instructionsFor, toolsFor } from './document.ts';
import { findPolicies, savePolicies } from './policies.ts';
import { chooseModel, listModels, noModel } from './providers.ts';
import { runnerOf } from './runner.ts';
import { maskedRequest } from './sdk-model.ts';
import { restoreSnapshot, snapshotChanges } from './snapshots.ts';

const stateOf = ({ id, state }: ConversationRow) => ({ id, state });

const isFor = (row: ConversationRow) => eq(aiConversations.id, row.id);

async function set(write: Write, row: ConversationRow, change: Partial<ConversationRow>): Promise<ConversationRow> {
  await write.tx.update(aiConversations).set(change).where(isFor(row));
  return { ...row, ...change };
}

/** Begins a turn: the assistant answers on its own from here on. */
export async function sendMessage(
  ctx: Context,
  address: DocumentAddress,
  input: { text: string; is_continue: boolean },
) {
  if (input.text.trim() === '') throw invalidField('text', 'Write something');
  return ctx.write(async (write) => {
    const row = await lockConversation(ctx, write, address);
    if (row.state !== 'idle') throw notNow('The assistant is still answering. Wait for it, or stop it.');
    // Refused before anything is stored, with what is missing.
    await chooseModel(ctx, row.configuration.model);
    const snapshot = row.lastSnapshot + 1;
    const payload = { text: input.text, snapshot, is_continue: input.is_continue };
    const change = {
      ...{ state: 'running' as const, runById: ctx.actor.userId, isStopRequested: false, lastSnapshot: snapshot },
      ...{ lease: null, leaseUntil: null },
    };
    const sent = await append(ctx, write, row, { kind: 'message_sent', payload }, change);
    write.after(() => runnerOf(ctx).wake(row.id));
    return stateOf(sent.row);
  });
}

export async function interruptChat(ctx: Context, address: DocumentAddress) {
  return ctx.write(async (write) => {
    const row = await lockConversation(ctx, write, address);
    if (row.state === 'idle') return stateOf(row);
    // One that waits for a person is run by nobody: it is begun again to be ended.
    const changed = await set(write, row, { isStopRequested: true, state: 'running' });
    write.after(() => runnerOf(ctx).wake(row.id, true));
    return stateOf(changed);
  });
}

async function askedCall(write: Write, row: ConversationRow, callId: string) {
  const turn = await newestTurn(write.tx, row.id);
  const next = turn && !turn.end ? nextCall(turn) : null;
  if (row.state !== 'waiting_for_approval' || next?.call.id !== callId || !next.isWaitingForApproval)
    throw notNow('This is not asked for any more.');
  return next.call;
}

export async function approveToolUse(
  ctx: Context,
  address: DocumentAddress,
  { call_id, is_always }: { call_id: string; is_always: boolean },
) {
  return ctx.write(async (write) => {
    const row = await lockConversation(ctx, write, address);
    const { name } = await askedCall(write, row, call_id);
    if (is_always) await savePolicies(ctx, write, address.fileId, { [name]: 'always' });
    // It goes on with the rights of who approved it, and in their name.
    const change = { state: 'running' as const, runById: ctx.actor.userId, lease: null, leaseUntil: null };
    const event = { kind: 'tool_execution_start' as const, payload: { call_id, name, is_begun: false } };
    const approved = await append(ctx, write, row, event, change);
    write.after(() => runnerOf(ctx).wake(row.id));
    return stateOf(approved.row);
  });
}

export async function rejectToolUse(
  ctx: Context,
  address: DocumentAddress,
  { call_id, message: said }: { call_id: string; message?: string | undefined },
) {
  return ctx.write(async (write) => {
    const row = await lockConversation(ctx, write, address);
    const { name } = await askedCall(write, row, call_id);
    const result = said?.trim() ? `The person rejected this, and says: ${said.trim()}` : '';
    const payload = { call_id, name, outcome: 'rejected' as const, result };
    const change = { state: 'running' as const, runById: ctx.actor.userId, lease: null, leaseUntil: null };
    const rejected = await append(ctx, write, row, { kind: 'tool_execution_completed', payload }, change);
    write.after(() => runnerOf(ctx).wake(row.id));
    return stateOf(rejected.row);
  });
}

export async function chatHistory(
  ctx: Context,
  address: DocumentAddress,
  { after_seq, before_seq }: { after_seq: number; before_seq?: number | undefined },
): Promise<AiConversation> {
  const file = await requireDocument(ctx, ctx.db, address);
  const row = (await findConversation(ctx.db, address.fileId)) ?? (await begin(ctx, address));
  const configuration = await configurationFor(ctx, ctx.db, row);
  const { events, isWhole } = await someEvents(ctx.db, row.id, { after: after_seq, before: before_seq });
  return {
    ...{ id: row.id, state: row.state, configuration, streaming: row.streaming, units: row.units },
    tools: toolsOf(ctx, file, configuration),
    events: events as unknown as AiConversation['events'],
    is_whole: isWhole,
  };
}

const begin = (ctx: Context, address: DocumentAddress) => ctx.write((write) => lockConversation(ctx, write, address));

/** The model is the conversation's, the policies are the caller's. */
const configurationFor = async (
  ctx: Context,
  db: Context['db'],
  { fileId, configuration: { model } }: ConversationRow,
): Promise<AiConfiguration> => ({ model, policies: await findPolicies(ctx, db, fileId) });

const toolsOf = (ctx: Context, file: FileRow, { policies }: AiConfiguration) =>
  toolsFor(ctx, file).map(({ name, title, isChanging, defaultPolicy }) => ({
    ...{ name, title, is_changing: isChanging },
    policy: policies[name] ?? defaultPolicy,
  }));

/** What the model would be sent now: the same words, with secrets left out. */
export async function requestPreview(ctx: Context, address: DocumentAddress) {
  const file = await requireDocument(ctx, ctx.db, address);
  const row = (await findConversation(ctx.db, address.fileId)) ?? (await begin(ctx, address));
  const { turns } = conversationOf(await newestEvents(ctx.db, row.id));
  const mask = maskOf(await secretsOf(ctx, ctx.db, { userId: ctx.userId, projectId: address.projectId }));
  const request = {
    instructions: instructionsFor(ctx, file),
    messages: compacted(messagesOf(turns), 400_000),
    tools: [],
  };
  const { instructions, messages } = maskedRequest(request, mask);
  return {
    instructions,
    messages: messages.flatMap((each): { role: string; text: string }[] => {
      if (each.role === 'user') return [{ role: each.role, text: each.text }];
      if (each.role === 'tool') return each.results.map(({ name, text }) => ({ role: `tool ${name}`, text }));
      const calls = each.calls.map(({ name, input }) => `${name} ${JSON.stringify(input)}`);
      return [{ role: each.role, text: [each.text, ...calls].filter(Boolean).join('\n') }];
    }),
  };
}

async function requireSnapshot(db: Context['db'], row: ConversationRow, snapshot: number) {
  const message = await messageOfSnapshot(db, row.id, snapshot);
  if (!message) throw notFound('This snapshot');
  return message;
}

export async function changesSince(ctx: Context, address: DocumentAddress, snapshot: number) {
  await requireDocument(ctx, ctx.db, address);
  const row = await findConversation(ctx.db, address.fileId);
  if (!row) throw notFound('This conversation');
  await requireSnapshot(ctx.db, row, snapshot);
  return { files: await snapshotChanges(ctx, row, snapshot) };
}

export async function revertToSnapshot(
  ctx: Context,
  address: DocumentAddress,
  {
    snapshot,
    mode,
    later_file_ids,
  }: { snapshot: number; mode: 'files' | 'conversation' | 'both'; later_file_ids: string[] },
) {
  return ctx.write(async (write) => {
    const row = await lockConversation(ctx, write, address);
    if (row.state !== 'idle') throw notNow('The assistant is still answering. Wait for it, or stop it.');
    const sent = await requireSnapshot(write.tx, row, snapshot);
    const inside = ctx.within(write);
    const paths = mode === 'conversation' ? [] : await restoreSnapshot(inside, write, row, snapshot, later_file_ids);
    const payload = { snapshot, mode, to_seq: sent.seq, paths };
    return stateOf((await append(ctx, write, row, { kind: 'reverted_to_snapshot', payload })).row);
  });
}

export async function clearChat(ctx: Context, address: DocumentAddress) {
  return ctx.write(async (write) => {
    const row = await lockConversation(ctx, write, address);
    if (row.state !== 'idle') throw notNow('The assistant is still answering. Wait for it, or stop it.');
    await set(write, row, { archivedAt: ctx.now() });
    const made = await lockConversation(ctx, write, address);
    write.publish(message(topics.assistant, { ...address }, 'chat_cleared', { conversation_id: made.id }));
    return stateOf(made);
  });
}

export async function updateConfiguration(
  ctx: Context,
  address: DocumentAddress,
  input: { model?: string | null | undefined; policies?: Record<string, 'ask' | 'always' | 'never'> | undefined },
) {
  return ctx.write(async (write) => {
    const row = await lockConversation(ctx, write, address);
    if (input.model) await chooseModel(ctx, input.model);
    const file = await requireDocument(ctx, write.tx, address);
    const known = toolsFor(ctx, file).map(({ name }) => name);
    const unknown = Object.keys(input.policies ?? {}).find((name) => !known.includes(name));
    if (unknown) throw invalidField('policies', `There is no tool called ${unknown}`);
    if (input.policies) await savePolicies(ctx, write, address.fileId, input.policies);
    if (input.model === undefined) return configurationFor(ctx, write.tx, row);
    const configuration = { model: input.model };
    const event = { kind: 'configuration_update' as const, payload: configuration };
    const updated = await append(ctx, write, row, event, { configuration });
    return configurationFor(ctx, write.tx, updated.row);
  });
}

export async function configuration(ctx: Context, address: DocumentAddress) {
  await requireDocument(ctx, ctx.db, address);
  const row = (await findConversation(ctx.db, address.fileId)) ?? (await begin(ctx, address));
  return { configuration: await configurationFor(ctx, ctx.db, row), models: await listModels(ctx) };
}

export async function availableModels(ctx: Context) {
  const models = await listModels(ctx);
  return { models, missing: models.length === 0 ? noModel : null };
}

const toolMs = 60_000;

type Executed = { outcome: 'ok' | 'error'; result: string };
export const underWay = appState(() => new Map<string, Promise<Executed>>());
export const notKnown: Executed = {
  outcome: 'error',
  result: 'This was begun before, and how it ended is not known. Look at how things are before you try again.',
};

/** A person uses a tool themselves: no approval is needed, and nothing is said to a model. Sent twice, it acts once. */
export async function executeTool(
  ctx: Context,
  address: DocumentAddress,
  requestId: string,
  { name, input }: { name: string; input: Record<string, unknown> },
): Promise<Executed> {
  const file = await requireDocument(ctx, ctx.db, address);
  const tool = toolsFor(ctx, file).find((each) => each.name === name);
  if (!tool) throw notFound('This tool');
  const problem = tool.problem(input);
  if (problem) throw invalidField('input', problem);
  const all = underWay(ctx);
  const request = clientRequest(requestId, [address, name, input]);
  const key = `${ctx.actor.userId} ${request.id} ${request.digest}`;
  const already = all.get(key);
  if (already) return already;
  const work = execute(ctx, tool, request, input).finally(() => all.delete(key));
  all.set(key, work);
  return work;
}

async function execute(ctx: Context, tool: Tool<Write>, request: ClientRequest, input: object): Promise<Executed> {
  const done = (await findReply(ctx, request)) as Executed | null;
  if (done) return done;
  const run = async (): Promise<Executed> => {
    const { text, isError, commit } = await tool.run(input, AbortSignal.timeout(toolMs));
    if (!commit) return { outcome: isError ? 'error' : 'ok', result: text };
    return applyOnce(ctx, request, async (inner) => ({
      outcome: 'ok',
      result: await inner.write(commit),
    })) as Promise<Executed>;
  };
  const answered = () =>
    run().catch((error: unknown): Executed => {
      if (error instanceof AppError) return { outcome: 'error', result: error.message };
      throw error;
    });
  return tool.isRepeatable ? answered() : (beginOnce(ctx, request, notKnown, answered) as Promise<Executed>);
}
