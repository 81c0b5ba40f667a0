import type { AiEvent, AiStopReason, AiUsage, NewAiEvent, ToolPolicy } from '@atoll/contract';
import { type CallState, conversationOf, countersOf, nextCall, type Turn } from './conversation.ts';
import { circleOf } from './guard.ts';
import { compacted, cutText, messagesOf } from './messages.ts';
import { type Model, ModelError, type ModelPart, type ToolDescription } from './model.ts';

/** What a tool has found or will do. */
export interface ToolResult<Tx> {
  text: string;
  isError?: boolean;
  /** Carried out in the transaction that stores the result, so that it is done exactly once. What it answers is the result. */
  commit?: (tx: Tx) => Promise<string>;
}

export interface Tool<Tx> extends ToolDescription {
  /** As a person reads it in the list of tools. */
  title: string;
  isChanging: boolean;
  /** Whether it may be begun again when a server was killed while it ran. */
  isRepeatable: boolean;
  defaultPolicy: ToolPolicy;
  /** What this call will do, in a line, and the code or text that it is about. */
  describe(input: unknown): { title: string; preview: string | null };
  /** Refuses input that it does not take; the message is for the model. */
  problem(input: unknown): string | null;
  run(input: unknown, signal: AbortSignal): Promise<ToolResult<Tx>>;
}

export interface LoopLimits {
  rounds: number;
  milliseconds: number;
  tokens: number;
  /** For this turn; null: none. */
  units: number | null;
}

export interface Loop<Tx> {
  events: AiEvent[];
  /** Stored before anything goes on. */
  append(event: NewAiEvent | ((tx: Tx) => Promise<NewAiEvent>)): Promise<AiEvent>;
  /** Shown at once and not kept: the whole of it follows in an event. Null: begin anew. */
  stream(part: { kind: 'text' | 'thinking'; text: string } | null): void;
  model: Model;
  instructions: string;
  tools: Tool<Tx>[];
  policyOf(tool: Tool<Tx>): ToolPolicy;
  limits: LoopLimits;
  /** Characters that the model can read. */
  room: number;
  /** Meters an answer before it is stored. */
  meter(tokens: { input: number; output: number }): Promise<AiUsage>;
  /** How things are at the end, for whoever wants to come back to it. */
  snapshot(): Promise<number | null>;
  /** Its reason is why it was stopped: one of the stop reasons. */
  signal: AbortSignal;
  now(): Date;
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

const mostResult = 30_000;
const mostTries = 3;
const firstWait = 1_000;
const longestWait = 60_000;

/** Why there is no budget for another call. */
export class BudgetExceeded extends Error {}

const sentences: Record<AiStopReason, string> = {
  manual_stop: 'Stopped.',
  timeout: 'The time for one answer is over.',
  max_rounds_reached: 'The limit of rounds for one answer is reached.',
  rejected: 'Stopped, as you rejected what it wanted to do.',
  budget_exceeded: 'The budget is used up.',
  stuck: 'It went in circles.',
  error: 'Something went wrong.',
};

/**
 * Goes on with the newest turn until it ends or a person has to decide. Everything it needs to know is in the events: it can
 * be left at any point and begun again elsewhere.
 */
export async function advance<Tx>(loop: Loop<Tx>): Promise<'idle' | 'waiting_for_approval'> {
  for (;;) {
    const { turns, state } = conversationOf(loop.events);
    const turn = turns.at(-1);
    if (!turn || state === 'idle') return 'idle';
    const rejected = rejectedIn(turn);
    if (loop.signal.aborted || rejected) {
      await end(loop, turn, rejected ? 'rejected' : reasonOf(loop.signal));
      return 'idle';
    }
    const next = nextCall(turn);
    if (next?.isWaitingForApproval) return 'waiting_for_approval';
    if (next) {
      await runCall(loop, next.call);
      continue;
    }
    const over = overLimit(loop, turn);
    if (over) {
      await end(loop, turn, over.reason, over.message);
      return 'idle';
    }
    if (await answer(loop, turns, turn)) return 'idle';
  }
}

/** Rejected without a word to go on with: that is the end. */
const rejectedIn = ({ rounds }: Turn): boolean =>
  rounds.at(-1)?.calls.some(({ completed }) => completed?.outcome === 'rejected' && completed.result === '') ?? false;

const reasonOf = ({ reason }: AbortSignal): AiStopReason => (reason === 'timeout' ? 'timeout' : 'manual_stop');

function overLimit<Tx>(
  { events, limits, now }: Loop<Tx>,
  turn: Turn,
): { reason: AiStopReason; message?: string } | null {
  const { rounds, milliseconds, input_tokens, output_tokens, units } = countersOf(events, turn, now());
  const circle = circleOf(turn);
  if (circle.kind === 'stop') return { reason: 'stuck', message: circle.message };
  if (rounds >= limits.rounds) return { reason: 'max_rounds_reached' };
  if (milliseconds >= limits.milliseconds) return { reason: 'timeout' };
  if (input_tokens + output_tokens >= limits.tokens) return { reason: 'budget_exceeded' };
  if (limits.units !== null && units >= limits.units) return { reason: 'budget_exceeded' };
  return null;
}

async function runCall<Tx>(loop: Loop<Tx>, call: CallState): Promise<void> {
  const { id: call_id, name } = call;
  const tool = loop.tools.find((each) => each.name === name);
  const completed = (outcome: 'ok' | 'error' | 'interrupted', result: string): NewAiEvent => ({
    kind: 'tool_execution_completed',
    payload: { call_id, name, outcome, result: cutText(result, mostResult) },
  });
  const append = async (event: Parameters<Loop<Tx>['append']>[0]) => void loop.events.push(await loop.append(event));
  if (call.problem !== null || !tool) return append(completed('error', call.problem ?? `There is no tool ${name}.`));
  if (call.policy === 'never') return append(completed('error', 'This tool is switched off here.'));
  if (call.state === 'started' && !tool.isRepeatable)
    return append(
      completed('interrupted', 'The server was stopped meanwhile. Look at how things are before you go on.'),
    );
  if (call.state !== 'started')
    await append({ kind: 'tool_execution_start', payload: { call_id, name, is_begun: true } });
  try {
    const { text, isError, commit } = await tool.run(call.input, loop.signal);
    await append(commit ? async (tx) => completed('ok', await commit(tx)) : completed(isError ? 'error' : 'ok', text));
  } catch (error) {
    // What it waited for goes on or not; the end of the turn says why.
    if (loop.signal.aborted) return append(completed('interrupted', 'It was stopped.'));
    await append(completed('error', error instanceof Error ? error.message : String(error)));
  }
}

/** One answer of the model; true when it was the last of the turn. */
async function answer<Tx>(loop: Loop<Tx>, turns: Turn[], turn: Turn): Promise<boolean> {
  const circle = circleOf(turn);
  const messages = compacted(messagesOf(turns, circle.kind === 'warn' ? circle.message : null), loop.room);
  const tools = loop.tools.filter((tool) => loop.policyOf(tool) !== 'never');
  const request = { instructions: loop.instructions, messages, tools };
  let said = { text: '', thinking: '' };
  const calls: Extract<ModelPart, { type: 'call' }>[] = [];
  const tokens = { input: 0, output: 0 };
  try {
    for await (const part of retried(loop, request, () => {
      said = { text: '', thinking: '' };
      calls.length = 0;
    })) {
      if (part.type === 'text' || part.type === 'thinking') {
        said[part.type] += part.text;
        loop.stream({ kind: part.type, text: part.text });
      } else if (part.type === 'call') calls.push(part);
      else Object.assign(tokens, { input: part.inputTokens, output: part.outputTokens });
    }
    loop.signal.throwIfAborted();
  } catch (error) {
    if (loop.signal.aborted) {
      // What was written until then was paid for, and is worth reading.
      const usage = await loop.meter({ input: tokens.input, output: tokens.output || Math.ceil(said.text.length / 4) });
      await end(loop, turn, reasonOf(loop.signal), undefined, said.text, usage);
      return true;
    }
    if (error instanceof BudgetExceeded) {
      await end(loop, turn, 'budget_exceeded', error.message);
      return true;
    }
    if (!(error instanceof ModelError)) throw error;
    const { code, message } = error;
    loop.events.push(await loop.append({ kind: 'error', payload: { code, message } }));
    await end(loop, turn, 'error', message, said.text);
    return true;
  }
  const usage = await loop.meter(tokens);
  if (said.thinking) loop.events.push(await loop.append({ kind: 'thinking', payload: { text: said.thinking } }));
  if (calls.length === 0) {
    await end(loop, turn, null, undefined, said.text, usage);
    return true;
  }
  const wanted = calls.map(({ id, name, input, problem, metadata }) => {
    const tool = loop.tools.find((each) => each.name === name);
    const trouble = problem ?? (tool ? tool.problem(input) : `There is no tool called ${name}.`);
    const described = tool && trouble === null ? tool.describe(input) : { title: name, preview: null };
    return {
      id,
      name,
      input,
      metadata,
      ...described,
      problem: trouble,
      policy: tool ? loop.policyOf(tool) : ('never' as const),
    };
  });
  const payload = { text: said.text, calls: wanted, usage };
  loop.events.push(await loop.append({ kind: 'message_with_tools', payload }));
  return false;
}

/** Tries again what failed before it was stored; what was shown of it begins anew. */
async function* retried<Tx>(
  loop: Loop<Tx>,
  request: Parameters<Model['stream']>[0],
  forget: () => void,
): AsyncGenerator<ModelPart> {
  for (let attempt = 1; ; attempt++) {
    try {
      yield* loop.model.stream(request, loop.signal);
      return;
    } catch (error) {
      loop.signal.throwIfAborted();
      if (!(error instanceof ModelError) || !error.isTransient || attempt >= mostTries) throw error;
      const pause = error.retryAfterMs ?? firstWait * 2 ** (attempt - 1);
      if (pause > longestWait) throw error;
      forget();
      loop.stream(null);
      await loop.wait(pause, loop.signal);
    }
  }
}

async function end<Tx>(
  loop: Loop<Tx>,
  turn: Turn,
  reason: AiStopReason | null,
  message: string | undefined = undefined,
  text = '',
  usage: AiUsage | null = null,
): Promise<void> {
  for (const { id, name, state } of turn.rounds.at(-1)?.calls ?? []) {
    if (state === 'done') continue;
    const payload = { call_id: id, name, outcome: 'interrupted' as const, result: 'It was not done.' };
    loop.events.push(await loop.append({ kind: 'tool_execution_completed', payload }));
  }
  const counters = countersOf(loop.events, turn, loop.now());
  if (usage) {
    counters.rounds++;
    counters.input_tokens += usage.input_tokens;
    counters.output_tokens += usage.output_tokens;
    counters.units += usage.units;
  }
  const snapshot = await loop.snapshot();
  const why = reason && (message ?? sentences[reason]);
  const payload = { text, stop_reason: reason, message: why, counters, usage, snapshot };
  loop.events.push(await loop.append({ kind: 'final_message', payload }));
}
