import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServerConnection } from './connection.ts';
import { admit, isOriginAllowed, isSessionToken, splitUrl } from './handshake.ts';
import type { Hub } from './hub.ts';
import { answer, PollSession, type PollStatus } from './poll-session.ts';

interface Session<Identity> {
  transport: PollSession;
  connection: ServerConnection<Identity>;
}

export function createLongPoll<Identity>(hub: Hub<Identity>) {
  const path = `${hub.options.path}/longpoll`;
  const sessions = new Map<string, Session<Identity>>();

  function handle(request: IncomingMessage, response: ServerResponse): boolean {
    const url = splitUrl(request);
    if (url.path !== path) return false;
    respond(request, response, url.query).catch((error) => {
      hub.report(error, { during: 'protocol' });
      answer(response, { status: 500 });
    });
    return true;
  }

  async function respond(request: IncomingMessage, response: ServerResponse, query: URLSearchParams): Promise<void> {
    if (!isOriginAllowed(hub, request)) {
      hub.refuse('origin');
      return end(request, response, 403);
    }
    if (request.headers.origin) {
      response.setHeader('access-control-allow-origin', request.headers.origin);
      response.setHeader('vary', 'origin');
    }
    if (request.method === 'OPTIONS') {
      response.setHeader('access-control-allow-methods', 'get, post, options');
      response.setHeader('access-control-allow-headers', request.headers['access-control-request-headers'] ?? '');
      response.writeHead(204).end();
      return;
    }
    const token = sessionToken(request, query);
    if (request.method === 'POST') return post(request, response, sessions.get(token ?? ''));
    if (request.method !== 'GET') return end(request, response, 500);
    const session = sessions.get(token ?? '');
    if (session) session.transport.poll(response);
    else if (token) answer(response, { status: 410 });
    else await open(request, response, query);
  }

  async function open(request: IncomingMessage, response: ServerResponse, query: URLSearchParams): Promise<void> {
    if (hub.isClosing || hub.connections.size >= hub.limits.maxConnections) {
      hub.refuse(hub.isClosing ? 'closing' : 'connections');
      return answer(response, { status: 500 });
    }
    const admission = await admit(hub, 'longpoll', request, query);
    if ('refused' in admission) {
      hub.refuse(admission.refused);
      return answer(response, { status: admission.refused === 'crash' ? 500 : 403 });
    }
    if (hub.isClosing) return answer(response, { status: 500 });
    const token = `lp_${randomBytes(24).toString('base64url')}`;
    const transport = new PollSession(token, hub.limits.pollWindowMs, () => {
      sessions.delete(token);
      connection.gone();
    });
    const connection = new ServerConnection(hub, transport, admission.identity);
    sessions.set(token, { transport, connection });
    answer(response, { status: 410, token, messages: [] });
  }

  async function post(
    request: IncomingMessage,
    response: ServerResponse,
    session: Session<Identity> | undefined,
  ): Promise<void> {
    if (!session?.transport.isOpen) return end(request, response, 410);
    const { connection, transport } = session;
    const deadline = performance.now() + hub.limits.pollWindowMs;
    try {
      for await (const line of linesOf(request, hub.limits.maxFrameBytes)) {
        if (!(await roomBefore(deadline, connection))) return end(request, response, 408);
        receive(connection, line);
        if (!transport.isOpen) break;
      }
    } catch (error) {
      // An aborted body is the client's problem; complete messages have been processed.
      if (!(error instanceof LineTooLong)) return;
      hub.refuse('too large');
      connection.close(1009, 'too large');
    }
    end(request, response, transport.isOpen ? 200 : 410);
  }

  function receive(connection: ServerConnection<Identity>, line: Buffer): void {
    if (line[0] !== 0x5b) connection.receiveBinary(Buffer.from(line.toString('latin1'), 'base64'));
    // A line that is not UTF-8 is not a message either.
    else connection.receiveText(isUtf8(line) ? line.toString() : '');
  }

  return { handle };
}

function sessionToken(request: IncomingMessage, query: URLSearchParams): string | null {
  const header = request.headers['x-phoenix-longpoll-token'];
  if (typeof header === 'string') return header;
  return query.getAll('token').findLast(isSessionToken) ?? null;
}

/** Reads the rest of the request, so that the answer arrives and the connection can be used again. */
function end(request: IncomingMessage, response: ServerResponse, status: PollStatus): void {
  request.resume();
  answer(response, { status });
}

async function roomBefore<Identity>(deadline: number, connection: ServerConnection<Identity>): Promise<boolean> {
  if (!connection.isFull) return true;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.max(0, deadline - performance.now()));
  });
  const hasRoom = await Promise.race([connection.room().then(() => true), late]);
  clearTimeout(timer);
  return hasRoom;
}

class LineTooLong extends Error {}

/** Yields the lines of an ndjson body as they arrive, or any other body whole; never holds more than one line. */
async function* linesOf(request: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  const isLines = request.headers['content-type']?.startsWith('application/x-ndjson') ?? false;
  // Bytes come as base64.
  const limit = Math.ceil((maxBytes * 4) / 3) + 4;
  let rest: Buffer = Buffer.alloc(0);
  // A reader that stops in the middle still has to answer.
  const chunks: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
  for await (const chunk of chunks) {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    for (let at = isLines ? rest.indexOf(10) : -1; at >= 0; at = rest.indexOf(10)) {
      if (at > limit) throw new LineTooLong();
      if (at > 0) yield rest.subarray(0, at);
      rest = rest.subarray(at + 1);
    }
    if (rest.length > limit) throw new LineTooLong();
  }
  if (rest.length > 0) yield rest;
}
