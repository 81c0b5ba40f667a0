import { requestId } from './request-id.ts';

/** The part of the official client's Channel that the command queue uses. */
export interface QueueChannel {
  joinPush: { receive(status: string, callback: (response: unknown) => void): unknown };
  push(event: string, payload: object, timeout?: number): QueuePush;
  canPush(): boolean;
  onClose(callback: () => void): unknown;
  onError(callback: (reason: unknown) => void): unknown;
}

export interface QueuePush {
  receive(status: string, callback: (response: unknown) => void): QueuePush;
  cancelTimeout(): void;
  reset(): void;
}

export interface CommandQueueOptions {
  /** The limit of unanswered commands. */
  maxInFlight?: number;
  /** Stays below the server's limits for one connection, also when an hour's work is sent at once. */
  perSecond?: number;
  burst?: number;
}

export interface SendOptions {
  /**
   * After this time the command is given up: it may or may not have been applied. Without it, the command waits for ever.
   */
  timeoutMs?: number;
}

export interface CommandQueue {
  /** Adds `request_id`; resolves with the reply's response. Rejects with a CommandError. */
  send(event: string, payload: object, options?: SendOptions): Promise<unknown>;
}

export class CommandError extends Error {
  /** `crashed`: the server failed at the command again and again. */
  readonly kind: 'refused' | 'timeout' | 'closed' | 'crashed';
  /** The server's response, when it refused. */
  readonly response: unknown;

  constructor(kind: CommandError['kind'], response?: unknown) {
    super(`Command ${kind}`);
    this.name = 'CommandError';
    this.kind = kind;
    this.response = response;
  }
}

interface Command {
  event: string;
  payload: object;
  /** The number of the join in which it was last sent. */
  sentIn: number;
  sending: QueuePush | undefined;
  crashes: number;
  deadline: ReturnType<typeof setTimeout> | undefined;
  settle(error: CommandError | null, response?: unknown): void;
}

/** Longer than any deadline: the command queue has its own. */
const never = 2 ** 31 - 1;
const maxCrashes = 3;

/** A command that has been answered or given up must not keep a timer and a listener in the client. */
function forget({ sending }: Command): void {
  sending?.cancelTimeout();
  sending?.reset();
}

/**
 * Sends commands in order, each applied at most once. The official client forgets unanswered pushes when a connection dies;
 * the queue sends them again after the next join with the same `request_id`, by which the server recognises them.
 */
export function createCommandQueue(channel: QueueChannel, options: CommandQueueOptions = {}): CommandQueue {
  const { maxInFlight = 16, perSecond = 50, burst = 200 } = options;
  const commands = new Set<Command>();
  let joins = 0;
  let isClosed = false;
  let allowance = burst;
  let allowanceAt = Date.now();
  let pause: ReturnType<typeof setTimeout> | undefined;

  function mayPush(): boolean {
    const now = Date.now();
    allowance = Math.min(burst, allowance + (Math.max(0, now - allowanceAt) * perSecond) / 1000);
    allowanceAt = now;
    if (allowance >= 1) {
      allowance--;
      return true;
    }
    pause ??= setTimeout(() => {
      pause = undefined;
      pump();
    }, 1000 / perSecond);
    return false;
  }

  function pump(): void {
    let inFlight = 0;
    for (const command of commands) {
      if (inFlight >= maxInFlight || !channel.canPush()) return;
      if (command.sentIn !== joins) {
        // A later command must not overtake this one.
        if (pause !== undefined || !mayPush()) return;
        push(command);
      }
      inFlight++;
    }
  }

  function push(command: Command): void {
    forget(command);
    command.sentIn = joins;
    const sending = channel.push(command.event, command.payload, never);
    command.sending = sending;
    sending.receive('ok', (response) => command.settle(null, response));
    sending.receive('error', (response) => command.settle(new CommandError('refused', response)));
  }

  channel.joinPush.receive('ok', () => {
    joins++;
    pump();
  });
  channel.onError((reason) => {
    if ((reason as { reason?: unknown } | undefined)?.reason !== 'channel_crash') return;
    // Commands run in order, so the first one without an answer crashed; sent for ever it would crash for ever.
    const [culprit] = commands;
    if (culprit && culprit.sentIn === joins && ++culprit.crashes === maxCrashes) {
      culprit.settle(new CommandError('crashed'));
    }
  });
  channel.onClose(() => {
    isClosed = true;
    clearTimeout(pause);
    for (const command of [...commands]) command.settle(new CommandError('closed'));
  });

  function send(event: string, payload: object, { timeoutMs }: SendOptions = {}): Promise<unknown> {
    if (isClosed) return Promise.reject(new CommandError('closed'));
    return new Promise((resolve, reject) => {
      const command: Command = {
        event,
        payload: { ...payload, request_id: requestId() },
        sentIn: -1,
        sending: undefined,
        crashes: 0,
        deadline: undefined,
        settle(error, response) {
          if (!commands.delete(command)) return;
          clearTimeout(command.deadline);
          forget(command);
          if (error) reject(error);
          else resolve(response);
          pump();
        },
      };
      if (timeoutMs !== undefined) {
        command.deadline = setTimeout(() => command.settle(new CommandError('timeout')), timeoutMs);
      }
      commands.add(command);
      pump();
    });
  }

  return { send };
}
