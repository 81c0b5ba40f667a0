import { timingSafeEqual } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import { readFrames, writeFrame } from './frames.ts';
import type { Host } from './host.ts';
import { framesOf } from './presentable.ts';
import { type Call, calls, type FromHost, protocolVersion, type ToHost } from './protocol.ts';

export interface HostServerOptions {
  socket: string;
  token: string;
  /** Without a server for this long, the kernels and the host end. */
  graceMs: number;
  onEnd(): void;
}

const takenMs = 20;

/** Puts a host behind a socket. One server at a time: a later one takes over. */
export async function serveHost(host: Host, options: HostServerOptions): Promise<Server> {
  let current: Socket | null = null;
  let grace: NodeJS.Timeout | null = null;
  let isClosing = false;
  const end = async () => {
    if (isClosing) return;
    isClosing = true;
    await host.close().catch((error: unknown) => console.error(error));
    options.onEnd();
  };
  const waitForServer = () => {
    grace = setTimeout(() => void end(), options.graceMs);
  };
  const { hostId } = await host.status();
  /**
   * Accepted calls without a result: their answers go out with the next events, so that a short cell wakes the server once.
   */
  const taken: { socket: Socket; id: number }[] = [];
  let sending: NodeJS.Timeout | null = null;
  const sendTaken = () => {
    if (sending) clearTimeout(sending);
    sending = null;
    for (const { socket, id } of taken.splice(0)) send(socket, { type: 'answer', id, value: undefined });
  };
  host.onEvents((all) => {
    sendTaken();
    for (const events of framesOf(all)) if (current) send(current, { type: 'events', events });
  });

  const server = createServer((socket) => {
    let isTrusted = false;
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      if (current !== socket) return;
      current = null;
      host.unfollow();
      if (!isClosing) waitForServer();
    });
    readFrames(socket, (value) => {
      const message = value as ToHost;
      if (message.type === 'hello') {
        isTrusted = isEqual(message.token, options.token);
        if (!isTrusted) return void socket.destroy();
        if (message.version !== protocolVersion) {
          send(socket, { type: 'refused', message: `This host speaks version ${protocolVersion}` });
          return void end();
        }
        if (current) {
          send(current, { type: 'replaced' });
          current.destroySoon();
        }
        host.unfollow();
        current = socket;
        if (grace) clearTimeout(grace);
        return send(socket, { type: 'welcome', hostId });
      }
      if (!isTrusted || current !== socket) return void socket.destroy();
      if (message.type === 'stored') return host.stored(message.kernelId, message.sequence);
      if (!calls.includes(message.call)) return void socket.destroy();
      void answer(socket, message);
    });
  });

  async function answer(socket: Socket, { id, call, args }: { id: number; call: Call; args: unknown[] }) {
    try {
      if (call === 'close') isClosing = true;
      const value = await (host[call] as (...args: unknown[]) => Promise<unknown>)(...args);
      if (call === 'execute') {
        taken.push({ socket, id });
        sending ??= setTimeout(sendTaken, takenMs);
      } else send(socket, { type: 'answer', id, value });
    } catch (error) {
      const { name, message } = error as Error;
      send(socket, { type: 'failed', id, name, message });
    }
    if (call === 'close') socket.end(() => options.onEnd());
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.socket, resolve);
  });
  waitForServer();
  return server;
}

const send = (socket: Socket, message: FromHost) => writeFrame(socket, message);

function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
