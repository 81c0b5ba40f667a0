import type { IncomingMessage } from 'node:http';
import type { Hub } from './hub.ts';
import type { Handshake, TransportName } from './types.ts';

const tokenProtocol = 'base64url.bearer.phx.';
const sessionPattern = /^lp_[\w-]{32}$/;

/** Long-poll sessions and credentials may come under one name, `token`; a session is recognised by its pattern. */
export const isSessionToken = (token: string) => sessionPattern.test(token);

export function splitUrl(request: IncomingMessage): { path: string; query: URLSearchParams } {
  const url = request.url ?? '';
  const mark = url.indexOf('?');
  return {
    path: mark < 0 ? url : url.slice(0, mark),
    query: new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1)),
  };
}

/** Takes the token out of the request's headers, so that code which logs or echoes them cannot reveal it. */
function takeToken(request: IncomingMessage): string | null {
  const header = request.headers['x-phoenix-authtoken'];
  if (typeof header === 'string' && header !== '') {
    delete request.headers['x-phoenix-authtoken'];
    return header;
  }
  const protocols = request.headers['sec-websocket-protocol']?.split(',').map((protocol) => protocol.trim()) ?? [];
  const carrier = protocols.find((protocol) => protocol.startsWith(tokenProtocol));
  if (carrier === undefined) return null;
  if (protocols.includes('phoenix')) request.headers['sec-websocket-protocol'] = 'phoenix';
  else delete request.headers['sec-websocket-protocol'];
  // The client encodes with btoa, which treats each character as one byte.
  return Buffer.from(carrier.slice(tokenProtocol.length), 'base64').toString('latin1') || null;
}

export type Admission<Identity> = { identity: Identity } | { refused: 'version' | 'authentication' | 'crash' };

/** Decides whether the client may connect, after its origin has been accepted. */
export async function admit<Identity>(
  hub: Hub<Identity>,
  transport: TransportName,
  request: IncomingMessage,
  query: URLSearchParams,
): Promise<Admission<Identity>> {
  const given = takeToken(request);
  // A missing version means the first, which has other frames.
  if (!query.get('vsn')?.startsWith('2.0.')) return { refused: 'version' };
  const params: Record<string, string> = Object.create(null);
  for (const [name, value] of query) if (name !== 'vsn' && !isSessionToken(value)) params[name] = value;
  const handshake: Handshake = {
    transport,
    token: given ?? params.token ?? null,
    params,
    origin: request.headers.origin ?? null,
    ip: hub.options.ipOf?.(request) ?? request.socket.remoteAddress ?? '',
    userAgent: request.headers['user-agent'] ?? '',
    request,
  };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The handshake took too long')), hub.limits.handshakeTimeoutMs);
  });
  try {
    const identity = await Promise.race([hub.options.authenticate(handshake), late]);
    return identity === null ? { refused: 'authentication' } : { identity };
  } catch (error) {
    hub.report(error, { during: 'authenticate' });
    return { refused: 'crash' };
  } finally {
    clearTimeout(timer);
  }
}

export function isOriginAllowed<Identity>(hub: Hub<Identity>, request: IncomingMessage): boolean {
  try {
    return hub.options.isOriginAllowed(request.headers.origin ?? null, request);
  } catch (error) {
    hub.report(error, { during: 'authenticate' });
    return false;
  }
}
