import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import { ServerConnection, type Transport } from './connection.ts';
import type { Outgoing } from './encode.ts';
import { admit, isOriginAllowed, splitUrl } from './handshake.ts';
import type { Hub } from './hub.ts';

class WebSocketTransport implements Transport {
  readonly name = 'websocket';
  readonly #ws: WebSocket;
  readonly #socket: Socket;
  readonly #idleTimeoutMs: number;
  #bytesRead = 0;
  #heardAt = performance.now();

  constructor(ws: WebSocket, socket: Socket, idleTimeoutMs: number) {
    this.#ws = ws;
    this.#socket = socket;
    this.#idleTimeoutMs = idleTimeoutMs;
  }

  get queuedBytes(): number {
    return this.#socket.writableLength;
  }

  /**
   * Bypasses `ws.send`, which would build the same frame for every receiver of a broadcast. Frames keep their order:
   * without compression `ws` writes each of its own (pongs and the close) whole and at once.
   */
  send(message: Outgoing): void {
    if (this.#ws.readyState === WebSocket.OPEN) this.#socket.write(message.frame);
  }

  close(code: number, reason: string): void {
    // A paused socket would not see the answer.
    this.#ws.resume();
    this.#ws.close(code, reason.slice(0, 40));
  }

  terminate(): void {
    this.#ws.terminate();
  }

  pause(): void {
    this.#ws.pause();
  }

  resume(): void {
    this.#ws.resume();
  }

  isIdle(now: number): boolean {
    if (this.#socket.bytesRead !== this.#bytesRead) {
      this.#bytesRead = this.#socket.bytesRead;
      this.#heardAt = now;
    }
    return now - this.#heardAt > this.#idleTimeoutMs;
  }
}

const connectionKey = Symbol('connection');
interface ConnectedWebSocket extends WebSocket {
  [connectionKey]?: ServerConnection<unknown>;
}

// All sockets share these three functions, instead of three closures for each.
function onMessage(this: WebSocket, data: Buffer, isBinary: boolean): void {
  const connection = (this as ConnectedWebSocket)[connectionKey];
  if (isBinary) connection?.receiveBinary(data);
  else connection?.receiveText(data.toString());
}
function onClose(this: WebSocket): void {
  (this as ConnectedWebSocket)[connectionKey]?.gone();
}
const ignore = () => {};

/** Answers the upgrades of one path; returns a function that stops it. */
export function attachWebSockets<Identity>(hub: Hub<Identity>, server: Server): () => void {
  const path = `${hub.options.path}/websocket`;
  const webSockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    // Compression costs memory for each socket and lets attackers send small bombs.
    perMessageDeflate: false,
    maxPayload: hub.limits.maxFrameBytes,
    handleProtocols: (protocols) => (protocols.has('phoenix') ? 'phoenix' : false),
  });

  function onError(this: WebSocket, error: Error & { code?: string }): void {
    // `ws` has answered with the matching close code already.
    if (error.code?.startsWith('WS_ERR_')) {
      hub.refuse(error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH' ? 'too large' : 'malformed');
    }
    (this as ConnectedWebSocket)[connectionKey]?.lost();
  }

  const onUpgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const url = splitUrl(request);
    if (url.path !== path) {
      // There is no other listener to answer it, and Node leaves it open for ever.
      if (server.listenerCount('upgrade') === 1) refuse(socket, 404);
      return;
    }
    // Without a listener, a reset during the wait would end the process.
    socket.on('error', ignore);
    const status = await statusFor(request, url.query);
    if (typeof status === 'number') return refuse(socket, status);
    if (socket.destroyed) return;
    webSockets.handleUpgrade(request, socket, head, (ws: ConnectedWebSocket) => {
      const transport = new WebSocketTransport(ws, socket as Socket, hub.limits.idleTimeoutMs);
      ws[connectionKey] = new ServerConnection(hub, transport, status.identity) as ServerConnection<unknown>;
      ws.on('message', onMessage);
      ws.on('close', onClose);
      ws.on('error', onError);
    });
  };

  const statusFor = async (request: IncomingMessage, query: URLSearchParams) => {
    const refused = (reason: string, code: number) => {
      hub.refuse(reason);
      return code;
    };
    if (hub.isClosing) return refused('closing', 503);
    if (!isOriginAllowed(hub, request)) return refused('origin', 403);
    if (hub.connections.size >= hub.limits.maxConnections) return refused('connections', 503);
    const admission = await admit(hub, 'websocket', request, query);
    if (hub.isClosing) return refused('closing', 503);
    if ('refused' in admission) return refused(admission.refused, admission.refused === 'crash' ? 503 : 403);
    return admission;
  };

  const listener = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    onUpgrade(request, socket, head).catch((error) => {
      hub.report(error, { during: 'protocol' });
      socket.destroy();
    });
  };
  server.on('upgrade', listener);
  return () => {
    server.off('upgrade', listener);
    webSockets.close();
  };
}

function refuse(socket: Duplex, status: number): void {
  socket.on('error', ignore);
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
