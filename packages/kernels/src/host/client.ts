import { connect as connectSocket, type Socket } from 'node:net';
import { readFrames, writeFrame } from './frames.ts';
import { type Call, calls, type FromHost, type HostAddress, protocolVersion, type ToHost } from './protocol.ts';
import { type HostEvent, type KernelHost, UnknownKernel } from './types.ts';

export interface HostConnection extends KernelHost {
  readonly hostId: string;
  /** Another server has taken over the host. */
  readonly isReplaced: boolean;
  /** Leaves the host and its kernels running. */
  disconnect(): void;
}

export class HostLost extends Error {
  constructor() {
    super('The kernel host is gone');
    this.name = 'HostLost';
  }
}

/** Delays these messages: the host needs them only to free memory, and the next cell must not wait for them. */
const storedMs = 5;

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** Connects to a running host. Rejects when there is none, or one of another version. */
export async function connectHost(address: HostAddress): Promise<HostConnection> {
  const socket = connectSocket(address.socket);
  const waiting = new Map<number, Waiting>();
  const eventListeners = new Set<(events: HostEvent[]) => void>();
  const lostListeners = new Set<() => void>();
  const welcome = Promise.withResolvers<string>();
  let isLeaving = false;
  let isOpen = true;
  let isReplaced = false;
  let next = 0;

  socket.on('error', (error) => welcome.reject(error));
  socket.on('close', () => {
    isOpen = false;
    welcome.reject(new HostLost());
    for (const { reject } of waiting.values()) reject(new HostLost());
    waiting.clear();
    if (!isLeaving) for (const listener of lostListeners) listener();
  });
  readFrames(socket, (value) => {
    const message = value as FromHost;
    switch (message.type) {
      case 'welcome':
        return welcome.resolve(message.hostId);
      case 'refused':
        return welcome.reject(new Error(message.message));
      case 'replaced':
        isReplaced = true;
        return;
      case 'events':
        for (const listener of eventListeners) listener(message.events);
        return;
      case 'answer':
        waiting.get(message.id)?.resolve(message.value);
        waiting.delete(message.id);
        return;
      case 'failed':
        waiting.get(message.id)?.reject(rebuilt(message.name, message.message));
        waiting.delete(message.id);
    }
  });
  const send = (message: ToHost) => writeFrame(socket, message);
  const call = (name: Call, args: unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (!isOpen) return reject(new HostLost());
      next += 1;
      send({ type: 'call', id: next, call: name, args });
      waiting.set(next, { resolve, reject });
    });

  const stored = new Map<string, number>();
  const sendStored = () => {
    if (isOpen) for (const [kernelId, sequence] of stored) send({ type: 'stored', kernelId, sequence });
    stored.clear();
  };

  send({ type: 'hello', version: protocolVersion, token: address.token });
  const hostId = await welcome.promise;
  const methods = Object.fromEntries(calls.map((name) => [name, (...args: unknown[]) => call(name, args)]));
  return {
    ...(methods as unknown as Pick<KernelHost, Call>),
    hostId,
    get isReplaced() {
      return isReplaced;
    },
    stored(kernelId, sequence) {
      if (stored.size === 0) setTimeout(sendStored, storedMs);
      stored.set(kernelId, sequence);
    },
    onEvents: (listener) => added(eventListeners, listener),
    onLost: (listener) => added(lostListeners, listener),
    async close() {
      isLeaving = true;
      await call('close', []);
      await closed(socket);
    },
    disconnect() {
      isLeaving = true;
      socket.destroy();
    },
  };
}

function added<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const closed = (socket: Socket) =>
  new Promise<void>((resolve) => (socket.destroyed ? resolve() : socket.once('close', () => resolve())));

function rebuilt(name: string, message: string): Error {
  const error = name === 'UnknownKernel' ? new UnknownKernel('') : new Error(message);
  error.message = message;
  return error;
}
