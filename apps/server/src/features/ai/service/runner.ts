import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { advance, conversationOf, type Loop, ModelError } from '@atoll/agent';
import { type AiEvent, type AiUsage, aiLimits, type NewAiEvent, topics } from '@atoll/contract';
import { and, eq, gt, inArray, isNull, lt, or } from 'drizzle-orm';
import { appState } from '../../../platform/app-state.ts';
import type { Context, Write } from '../../../platform/context.ts';
import { AppError, denied } from '../../../platform/errors.ts';
import { checkFlag } from '../../../platform/flags/check-flag.ts';
import { message } from '../../../platform/realtime/stream.ts';
import { maskOf, secretsOf } from '../../kernels/service/secrets.ts';
import { findUser, personOf } from '../../users/service.ts';
import { aiConversations, type ConversationRow } from '../table.ts';
import { append, lockById, newestEvents, requireDocument } from './conversations.ts';
import { instructionsFor, toolsFor } from './document.ts';
import { findPolicies, policyInTurn } from './policies.ts';
import { type ChosenModel, chooseModel } from './providers.ts';
import { maskedModel } from './sdk-model.ts';
import { takeSnapshot } from './snapshots.ts';
import { type ModelUse, meter, paidModel } from './usage.ts';

/** A server that has not renewed its lease for so long is gone, and another one goes on. */
const leaseMs = 15_000;
const renewMs = 5_000;
const lookMs = 3_000;
/** How soon a stop that was asked for at another server is noticed here. */
const stopMs = 500;
const streamMs = 50;
/** Of a million tokens: what a character costs at most is not known before. */
const charactersPerToken = 3;
const stopSubject = 'ai.stop';

/** The turn is another server's by now, or is left to one: nothing of it is stored here. */
class NotOurs extends Error {}

interface Running {
  abort: AbortController;
  lease: string;
  done: Promise<void>;
}

/** Carries on the conversations that wait for the assistant: each on one server at a time, whoever watches. */
export class AssistantRunner {
  readonly #ctx: Context;
  readonly #running = new Map<string, Running>();
  /** Those that were woken while they still ended here: what came last is seen by none of it. */
  readonly #again = new Set<string>();
  #timers: NodeJS.Timeout[] = [];
  #isStopped = false;

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  async start(): Promise<void> {
    await this.#ctx.peers.subscribe(stopSubject, (id) => this.#running.get(String(id))?.abort.abort('manual_stop'));
    const safely = (work: () => Promise<void>) => () =>
      void work().catch((error: unknown) => this.#ctx.log.error({ error }, 'Conversations could not be looked after'));
    this.#timers = [
      setInterval(
        safely(() => this.#look()),
        lookMs,
      ),
      setInterval(
        safely(() => this.#renew()),
        renewMs,
      ),
      setInterval(
        safely(() => this.#hearStops()),
        stopMs,
      ),
    ];
    await this.#look();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const timer of this.#timers) clearInterval(timer);
    const running = [...this.#running.values()];
    for (const { abort } of running) abort.abort('server_stopped');
    await Promise.allSettled(running.map(({ done }) => done));
  }

  /** What it was about has changed: there is something to do, or to stop. */
  wake(id: string, isStop = false): void {
    if (isStop) this.#ctx.peers.broadcast(stopSubject, id);
    if (this.#isStopped) return;
    if (this.#running.has(id)) {
      this.#again.add(id);
      return;
    }
    const abort = new AbortController();
    const lease = randomUUID();
    const done = this.#claimAndRun(id, lease, abort)
      .catch((error: unknown) => {
        if (!(error instanceof NotOurs)) this.#ctx.log.error({ error, conversationId: id }, 'A conversation failed');
      })
      .finally(() => {
        this.#running.delete(id);
        if (this.#again.delete(id)) this.wake(id);
      });
    this.#running.set(id, { abort, lease, done });
  }

  /** Until nothing is under way here; for tests. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled([...this.#running.values()].map(({ done }) => done));
  }

  async #look(): Promise<void> {
    const { db } = this.#ctx;
    const after = (ms: number) => new Date(this.#ctx.now().getTime() + ms);
    // Of before the machine's clock was set back: near enough that a server that lives renews it first.
    await db
      .update(aiConversations)
      .set({ leaseUntil: after(leaseMs) })
      .where(and(eq(aiConversations.state, 'running'), gt(aiConversations.leaseUntil, after(2 * leaseMs))));
    const isFree = or(isNull(aiConversations.leaseUntil), lt(aiConversations.leaseUntil, this.#ctx.now()));
    const left = await db
      .select({ id: aiConversations.id })
      .from(aiConversations)
      .where(and(eq(aiConversations.state, 'running'), isFree));
    for (const { id } of left) this.wake(id);
  }

  async #renew(): Promise<void> {
    const leases = [...this.#running.values()].map(({ lease }) => lease);
    if (leases.length === 0) return;
    const leaseUntil = new Date(this.#ctx.now().getTime() + leaseMs);
    await this.#ctx.db.update(aiConversations).set({ leaseUntil }).where(inArray(aiConversations.lease, leases));
  }

  async #hearStops(): Promise<void> {
    if (this.#running.size === 0) return;
    const asked = await this.#ctx.db
      .select({ id: aiConversations.id })
      .from(aiConversations)
      .where(and(inArray(aiConversations.id, [...this.#running.keys()]), eq(aiConversations.isStopRequested, true)));
    for (const { id } of asked) this.#running.get(id)?.abort.abort('manual_stop');
  }

  async #claimAndRun(id: string, lease: string, abort: AbortController): Promise<void> {
    const now = this.#ctx.now();
    const isFree = or(isNull(aiConversations.leaseUntil), lt(aiConversations.leaseUntil, now));
    const [row] = await this.#ctx.db
      .update(aiConversations)
      .set({ lease, leaseUntil: new Date(now.getTime() + leaseMs), streaming: null })
      .where(and(eq(aiConversations.id, id), eq(aiConversations.state, 'running'), isFree))
      .returning();
    if (!row) return;
    if (row.isStopRequested) abort.abort('manual_stop');
    const turn = new AssistantTurn(this.#ctx, row, lease, abort);
    try {
      await turn.run();
    } finally {
      const free = { lease: null, leaseUntil: null };
      await this.#ctx.db.update(aiConversations).set(free).where(eq(aiConversations.lease, lease));
    }
  }
}

/** One server's work on one conversation, until it ends or a person has to decide. */
class AssistantTurn {
  readonly #system: Context;
  #row: ConversationRow;
  readonly #lease: string;
  readonly #abort: AbortController;
  #events: AiEvent[] = [];
  /** What was streamed and not told yet, in order. */
  #pending: { kind: 'text' | 'thinking'; text: string }[] = [];
  #said = { text: '', thinking: '' };
  #publishing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;

  constructor(ctx: Context, row: ConversationRow, lease: string, abort: AbortController) {
    this.#system = ctx;
    this.#row = row;
    this.#lease = lease;
    this.#abort = abort;
  }

  async run(): Promise<void> {
    const events = await newestEvents(this.#system.db, this.#row.id);
    this.#events = events;
    const turn = conversationOf(events).turns.at(-1);
    const user = this.#row.runById ? await findUser(this.#system.db, this.#row.runById) : null;
    // Rights are those of now, whatever they were when the turn was begun.
    const ctx = user ? this.#system.as(personOf(user)) : this.#system;
    const address = { projectId: this.#row.projectId, fileId: this.#row.fileId };
    const left = aiLimits.minutes * 60_000 - (turn ? this.#system.now().getTime() - Date.parse(turn.at) : 0);
    const timer = setTimeout(() => this.#abort.abort('timeout'), Math.max(0, left));
    try {
      if (!user || user.suspendedAt || user.deletedAt)
        throw denied('no_permissions', 'The account of who asked is not active.');
      checkFlag(ctx, 'ai');
      const file = await requireDocument(ctx, ctx.db, address);
      const chosen = await chooseModel(ctx, this.#row.configuration.model).catch(refusedModel);
      if (turn && turn.rounds.length === 0 && turn.snapshot !== null) await takeSnapshot(ctx, this.#row, turn.snapshot);
      const mask = maskOf(await secretsOf(ctx, ctx.db, { userId: ctx.userId, projectId: address.projectId }));
      const model = paidModel(ctx, chosen, maskedModel(chosen.model, mask), () => this.#use);
      const policies = await findPolicies(ctx, ctx.db, address.fileId);
      const loop: Loop<Write> = {
        ...{ events, model, tools: toolsFor(ctx, file), instructions: instructionsFor(ctx, file) },
        append: (event) => this.#append(ctx, event),
        stream: (part) => this.#stream(part),
        policyOf: (tool) => policyInTurn(policies, { turn, userId: ctx.userId }, tool),
        limits: {
          ...{ rounds: aiLimits.rounds, milliseconds: aiLimits.minutes * 60_000, tokens: aiLimits.tokens },
          units: chosen.isPaid ? ctx.config.ai.turnUnits : null,
        },
        room: chosen.settings.context_tokens * charactersPerToken,
        meter: (tokens) => this.#meter(ctx, chosen, tokens),
        snapshot: () => this.#snapshot(ctx),
        signal: this.#abort.signal,
        now: () => this.#system.now(),
        wait: async (milliseconds, signal) => void (await pause(milliseconds, undefined, { signal })),
      };
      await advance(loop);
    } catch (error) {
      if (error instanceof NotOurs || this.#isLeft) throw error instanceof NotOurs ? error : new NotOurs();
      await this.#fail(ctx, error);
    } finally {
      clearTimeout(timer);
      if (this.#timer) clearTimeout(this.#timer);
    }
  }

  /** There is one answer at a time in a conversation: a server that takes the turn over takes its reservation too. */
  get #use(): ModelUse {
    const { id, units } = this.#row;
    return { id, conversationId: id, spent: units, milliseconds: aiLimits.minutes * 60_000 };
  }

  get #isLeft(): boolean {
    return this.#abort.signal.reason === 'server_stopped';
  }

  /** Only while the lease is ours, so that no two servers write the same conversation. */
  async #append(ctx: Context, event: NewAiEvent | ((write: Write) => Promise<NewAiEvent>)): Promise<AiEvent> {
    if (this.#isLeft) throw new NotOurs();
    await this.#published();
    return ctx.write(async (write) => {
      const row = await lockById(write, this.#row.id);
      if (row?.lease !== this.#lease) throw new NotOurs();
      const made = typeof event === 'function' ? await event(write) : event;
      const isEnd = made.kind === 'final_message';
      const units = 'usage' in made.payload && made.payload.usage ? row.units + made.payload.usage.units : row.units;
      const next = { ...made, seq: row.lastSeq + 1, created_at: '', user: null } as AiEvent;
      // What is told here is what anyone makes of the events.
      const { state } = conversationOf([...this.#events, next]);
      const change = { units, state, ...(isEnd ? { isStopRequested: false } : {}) };
      const appended = await append(ctx, write, row, made, change);
      this.#row = appended.row;
      this.#said = { text: '', thinking: '' };
      return appended.event;
    });
  }

  async #snapshot(ctx: Context): Promise<number> {
    if (this.#isLeft) throw new NotOurs();
    const snapshot = this.#row.lastSnapshot + 1;
    await takeSnapshot(ctx, this.#row, snapshot);
    await ctx.db
      .update(aiConversations)
      .set({ lastSnapshot: snapshot })
      .where(and(eq(aiConversations.id, this.#row.id), eq(aiConversations.lease, this.#lease)));
    this.#row = { ...this.#row, lastSnapshot: snapshot };
    return snapshot;
  }

  async #meter(ctx: Context, chosen: ChosenModel, tokens: { input: number; output: number }): Promise<AiUsage> {
    if (this.#isLeft) throw new NotOurs();
    return meter(ctx, chosen, this.#use, tokens);
  }

  #stream(part: { kind: 'text' | 'thinking'; text: string } | null): void {
    if (part) this.#pending.push(part);
    else {
      this.#pending = [];
      this.#said = { text: '', thinking: '' };
    }
    // The first word at once; what follows within a moment is told together.
    if (this.#timer) return;
    this.#flush();
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#flush();
    }, streamMs);
  }

  #flush(): void {
    const pending = this.#pending;
    this.#pending = [];
    if (pending.length === 0) return;
    this.#publishing = this.#publishing
      .then(() => this.#publish(pending))
      .catch((error: unknown) => this.#system.log.warn({ error }, 'What the assistant writes could not be shown'));
  }

  async #published(): Promise<void> {
    this.#flush();
    await this.#publishing;
  }

  async #publish(parts: { kind: 'text' | 'thinking'; text: string }[]): Promise<void> {
    const { id, projectId, fileId, lastSeq } = this.#row;
    await this.#system.write(async (write) => {
      for (const kind of ['thinking', 'text'] as const) {
        const text = parts
          .filter((part) => part.kind === kind)
          .map((part) => part.text)
          .join('');
        if (!text) continue;
        const from = this.#said[kind].length;
        this.#said[kind] += text;
        const streamed = { conversation_id: id, after_seq: lastSeq, kind, from, text };
        write.publish(message(topics.assistant, { projectId, fileId }, 'chat_streaming', streamed));
      }
      const streaming = { after_seq: lastSeq, ...this.#said };
      const isOurs = and(eq(aiConversations.id, id), eq(aiConversations.lease, this.#lease));
      // With the commit: people wait for the first word.
      write.last(() => write.tx.update(aiConversations).set({ streaming }).where(isOurs).execute());
    });
  }

  /** Whatever went wrong, the turn ends with a reason. */
  async #fail(ctx: Context, error: unknown): Promise<void> {
    const isKnown = error instanceof AppError || error instanceof ModelError;
    if (!isKnown) this.#system.log.error({ error, conversationId: this.#row.id }, 'The assistant failed');
    const text = isKnown ? error.message : 'Something went wrong here. Try again.';
    const code = error instanceof ModelError || error instanceof AppError ? error.code : 'internal';
    await this.#append(ctx, { kind: 'error', payload: { code, message: text } });
    const counters = { rounds: 0, input_tokens: 0, output_tokens: 0, units: 0, milliseconds: 0 };
    const payload = { text: '', stop_reason: 'error' as const, message: text, counters, usage: null, snapshot: null };
    await this.#append(ctx, { kind: 'final_message', payload });
  }
}

const refusedModel = (error: unknown): ChosenModel => {
  if (!(error instanceof AppError)) throw error;
  throw new ModelError('model_not_found', error.message);
};

export const runnerOf = appState((ctx) => new AssistantRunner(ctx));
