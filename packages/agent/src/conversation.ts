import type { AiEvent, ToolCall, TurnCounters } from '@atoll/contract';

type Payload<Kind extends AiEvent['kind']> = Extract<AiEvent, { kind: Kind }>['payload'];

export interface CallState extends ToolCall {
  state: 'waiting' | 'approved' | 'started' | 'done';
  completed: Payload<'tool_execution_completed'> | null;
}

/** One answer of the model, with what became of its calls. */
export interface Round {
  seq: number;
  user: AiEvent['user'];
  text: string;
  thinking: string;
  calls: CallState[];
}

/** From what a person said to the end of the answer. */
export interface Turn {
  seq: number;
  at: string;
  user: AiEvent['user'];
  text: string;
  isContinue: boolean;
  snapshot: number | null;
  rounds: Round[];
  /** Thinking of an answer that has not ended. */
  thinking: string;
  error: Payload<'error'> | null;
  end: Payload<'final_message'> | null;
  isReverted: boolean;
}

export interface Conversation {
  turns: Turn[];
  /** Which it is depends on the events alone, so any server can go on. */
  state: 'idle' | 'running' | 'waiting_for_approval';
  lastSeq: number;
}

/** The conversation that these events are. */
export function conversationOf(events: readonly AiEvent[]): Conversation {
  const turns: Turn[] = [];
  let lastSeq = 0;
  for (const event of events) {
    lastSeq = event.seq;
    const turn = turns.at(-1);
    switch (event.kind) {
      case 'message_sent': {
        const { text, snapshot, is_continue } = event.payload;
        const { seq, user, created_at } = event;
        turns.push({
          ...{ seq, user, text, snapshot, at: created_at, isContinue: is_continue },
          ...{ rounds: [], thinking: '', error: null, end: null, isReverted: false },
        });
        break;
      }
      case 'thinking':
        if (turn) turn.thinking += event.payload.text;
        break;
      case 'message_with_tools':
        if (!turn) break;
        turn.rounds.push({
          seq: event.seq,
          user: event.user,
          text: event.payload.text,
          thinking: turn.thinking,
          calls: event.payload.calls.map((call) => ({ ...call, state: 'waiting', completed: null })),
        });
        turn.thinking = '';
        break;
      case 'tool_execution_start':
      case 'tool_execution_completed': {
        const round = turn?.rounds.at(-1);
        const call = round?.calls.find(({ id }) => id === event.payload.call_id);
        if (!round || !call || call.state === 'done') break;
        if (event.user && event.user.id !== round.user?.id) takeOver(round, event.user);
        if (event.kind === 'tool_execution_start') call.state = event.payload.is_begun ? 'started' : 'approved';
        else Object.assign(call, { state: 'done', completed: event.payload });
        break;
      }
      case 'error':
        if (turn) turn.error = event.payload;
        break;
      case 'final_message':
        if (turn) turn.end = event.payload;
        break;
      case 'reverted_to_snapshot':
        if (event.payload.mode === 'files') break;
        for (const each of turns) if (each.seq >= event.payload.to_seq) each.isReverted = true;
        break;
      default:
    }
  }
  return { turns, lastSeq, state: stateOf(turns.at(-1)) };
}

/** Another person decided, and the turn goes on in their name: what the one before let tools do does not bind them. */
function takeOver(round: Round, user: AiEvent['user']): void {
  round.user = user;
  for (const call of round.calls) if (call.state === 'waiting' && call.policy === 'always') call.policy = 'ask';
}

function stateOf(turn: Turn | undefined): Conversation['state'] {
  if (!turn || turn.end) return 'idle';
  return nextCall(turn)?.isWaitingForApproval ? 'waiting_for_approval' : 'running';
}

/** The first call of the newest answer that is not done; calls are carried out one after another. */
export function nextCall(turn: Turn): { call: CallState; isWaitingForApproval: boolean } | null {
  const call = turn.rounds.at(-1)?.calls.find(({ state }) => state !== 'done');
  if (!call) return null;
  return { call, isWaitingForApproval: call.state === 'waiting' && call.policy === 'ask' && call.problem === null };
}

/** What a turn has taken so far. */
export function countersOf(events: readonly AiEvent[], turn: Turn, now: Date): TurnCounters {
  const counters = { rounds: 0, input_tokens: 0, output_tokens: 0, units: 0 };
  for (const { seq, kind, payload } of events) {
    if (seq <= turn.seq || kind !== 'message_with_tools') continue;
    counters.rounds++;
    counters.input_tokens += payload.usage.input_tokens;
    counters.output_tokens += payload.usage.output_tokens;
    counters.units += payload.usage.units;
  }
  return { ...counters, milliseconds: Math.max(0, now.getTime() - Date.parse(turn.at)) };
}
