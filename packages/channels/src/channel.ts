import type { Incoming } from './decode.ts';
import { encodePush, encodePushJson, encodeReply, type Outgoing } from './encode.ts';
import type { Hub, Joining, Subscriber } from './hub.ts';
import {
  type ChannelHandler,
  type Connection,
  type JoinResult,
  type Json,
  type LeaveReason,
  type Payload,
  Refusal,
  type Reply,
} from './types.ts';

/** The part of its connection that a channel uses. */
export interface ChannelHost<Identity> extends Connection<Identity> {
  send(message: Outgoing): void;
  forget(channel: ServerChannel<Identity>): void;
  /** This many joins or commands are finished. */
  release(count: number): void;
}

interface Held {
  message: Outgoing;
  position: number | undefined;
}

export class ServerChannel<Identity> implements Subscriber<Identity>, Joining {
  readonly number: number;
  readonly topic: string;
  readonly joinRef: string;
  readonly connection: ChannelHost<Identity>;
  readonly state: Record<string, unknown> = {};
  readonly joinBegan = performance.now();
  readonly #hub: Hub<Identity>;
  readonly #handler: ChannelHandler<Identity>;
  readonly #queue: Incoming[] = [];
  /** Messages for the topic that arrived during the join; null afterwards. */
  #held: Held[] | null = [];
  #heldBytes = 0;
  #position = Number.NEGATIVE_INFINITY;
  #ended: LeaveReason | null = null;
  #isBusy = true;
  /** The number of running commands that later ones do not wait for. */
  #aside = 0;
  #hasJoined = false;

  constructor(
    hub: Hub<Identity>,
    connection: ChannelHost<Identity>,
    handler: ChannelHandler<Identity>,
    topic: string,
    joinRef: string,
  ) {
    this.#hub = hub;
    this.#handler = handler;
    this.number = hub.nextNumber();
    this.connection = connection;
    this.topic = topic;
    this.joinRef = joinRef;
  }

  get id(): string {
    return `${this.#hub.id}.${this.number}`;
  }

  get isOpen(): boolean {
    return this.#ended === null;
  }

  async join(payload: Json): Promise<void> {
    // Subscribe before the handler reads anything, so that no event after its snapshot is missed.
    this.#hub.subscribe(this);
    this.#hub.joining.add(this);
    try {
      const result = await this.#handler.join(this, payload);
      this.#hasJoined = true;
      if (!this.#ended) this.#joined(result);
    } catch (error) {
      if (!(error instanceof Refusal)) this.#hub.report(error, { during: 'join', topic: this.topic });
      const response = error instanceof Refusal ? error.response : { reason: 'join crashed' };
      this.#refuseJoin('crashed', response);
    } finally {
      this.#hub.joining.delete(this);
      this.connection.release(1);
    }
    await this.#work();
  }

  #joined(result: JoinResult): void {
    const reply = encodeReply(this.joinRef, this.joinRef, this.topic, 'ok', result.response);
    if (result.position !== undefined) this.#position = result.position;
    const held = this.#held ?? [];
    this.#held = null;
    this.connection.send(reply);
    for (const { message, position } of held) this.deliver(message, position);
  }

  /** Answers the join with an error; the client cannot end a channel that it does not have yet. */
  #refuseJoin(why: LeaveReason, response: Payload): void {
    if (this.#ended) return;
    this.connection.send(encodeReply(this.joinRef, this.joinRef, this.topic, 'error', response));
    this.end(why, 'drop');
  }

  expireJoin(): void {
    this.#refuseJoin('crashed', { reason: 'join timeout' });
  }

  receive(message: Incoming): void {
    // A leave does not wait for a join that hangs: the client sends it because the join took too long.
    if (message.event === 'phx_leave' && this.#held) {
      this.connection.release(1);
      this.#leave(message);
      return;
    }
    this.#queue.push(message);
    if (!this.#isBusy) void this.#work();
  }

  /** Runs one command after another; the handler's `left` comes after the last. */
  async #work(): Promise<void> {
    this.#isBusy = true;
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
      if (next.event !== 'phx_leave' && this.#handler.isAside?.(next.event)) {
        void this.#beside(next);
        continue;
      }
      if (next.event === 'phx_leave') this.#leave(next);
      else await this.#command(next);
      this.connection.release(1);
    }
    this.#isBusy = false;
    if (this.#ended) await this.#left(this.#ended);
  }

  async #beside(message: Incoming): Promise<void> {
    this.#aside += 1;
    await this.#command(message);
    this.#aside -= 1;
    this.connection.release(1);
    if (this.#ended) await this.#left(this.#ended);
  }

  async #command({ ref, event, payload }: Incoming): Promise<void> {
    try {
      this.#reply(ref, await this.#handler.command(this, event, payload));
    } catch (error) {
      if (error instanceof Refusal) {
        this.#reply(ref, { status: 'error', response: error.response });
        return;
      }
      this.#hub.report(error, { during: 'command', topic: this.topic, event });
      this.crash();
    }
  }

  #reply(ref: string | null, reply: Reply): void {
    if (ref === null || this.#ended) return;
    this.connection.send(encodeReply(this.joinRef, ref, this.topic, reply.status, reply.response));
  }

  #leave({ ref }: Incoming): void {
    if (this.#ended) return;
    if (ref !== null) this.connection.send(encodeReply(this.joinRef, ref, this.topic, 'ok', {}));
    this.connection.send(encodePush(this.joinRef, this.joinRef, this.topic, 'phx_close', {}));
    this.end('leave', 'finish');
  }

  push(event: string, payload: Payload): void {
    if (!this.#ended) this.deliver(encodePush(this.joinRef, null, this.topic, event, payload), undefined);
  }

  pushJson(event: string, json: string): void {
    if (!this.#ended) this.deliver(encodePushJson(this.joinRef, null, this.topic, event, json), undefined);
  }

  deliver(message: Outgoing, position: number | undefined): void {
    if (this.#held) {
      this.#held.push({ message, position });
      this.#heldBytes += message.size;
      if (this.#heldBytes > this.#hub.limits.maxQueuedBytes) this.#refuseJoin('crashed', { reason: 'join overflow' });
      return;
    }
    if (position !== undefined) {
      if (position <= this.#position) return;
      this.#position = position;
    }
    this.connection.send(message);
  }

  pass(position: number | undefined): void {
    if (position !== undefined && position > this.#position) this.#position = position;
  }

  close(): void {
    if (this.#ended) return;
    if (this.#held) this.#refuseJoin('closed', { reason: 'closed' });
    else this.#finish('closed', 'phx_close', {});
  }

  /** Ends the channel, because the client has joined the topic again. */
  replace(): void {
    if (this.#ended) return;
    this.connection.send(encodePush(this.joinRef, this.joinRef, this.topic, 'phx_close', {}));
    this.end('replaced', 'finish');
  }

  crash(): void {
    if (this.#ended) return;
    if (this.#held) this.#refuseJoin('crashed', { reason: 'join crashed' });
    else this.#finish('crashed', 'phx_error', { reason: 'channel_crash' });
  }

  #finish(why: LeaveReason, event: string, payload: Payload): void {
    this.connection.send(encodePush(this.joinRef, this.joinRef, this.topic, event, payload));
    this.end(why, 'drop');
  }

  /** Queued commands still run when the client has disconnected; they are dropped when it was removed. */
  end(why: LeaveReason, commands: 'finish' | 'drop'): void {
    if (this.#ended) return;
    this.#ended = why;
    this.#held = null;
    if (commands === 'drop') this.connection.release(this.#queue.splice(0).length);
    this.connection.forget(this);
    this.#hub.ended(this);
    void this.#left(why);
  }

  async #left(why: LeaveReason): Promise<void> {
    if (!this.#hasJoined || this.#isBusy || this.#aside > 0) return;
    this.#hasJoined = false;
    try {
      await this.#handler.left?.(this, why);
    } catch (error) {
      this.#hub.report(error, { during: 'left', topic: this.topic });
    }
  }
}
