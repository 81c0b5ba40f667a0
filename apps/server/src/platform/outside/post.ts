import { lookup as resolveName } from 'node:dns';
import { request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

interface Post {
  headers?: Record<string, string>;
  body: string | Buffer;
  /** Hosts that may be reached although they are in the operator's own network; `'any'` for addresses the operator set. */
  privateHosts: readonly string[] | 'any';
  timeMs?: number;
  signal?: AbortSignal;
}

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** The outcome of a request without an answer. */
export class NoAnswer extends Error {
  /** The whole request was sent, so the target may have accepted it. */
  readonly isSent: boolean;
  constructor(message: string, isSent: boolean) {
    super(message);
    this.isSent = isSent;
  }
}

/** The address is in the operator's own network, so no connection is opened to it. */
export class PrivateAddress extends Error {}

const mostBytes = 64 * 1024;

/**
 * A POST to an address that a person typed. The address is looked up once and checked on connect, so that a name which
 * changes in between does not lead inside. Redirects are not followed.
 */
export function post(
  address: string,
  { headers = {}, body, privateHosts, timeMs = 20_000, signal }: Post,
): Promise<Answer> {
  const url = new URL(address);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isAllowed = privateHosts === 'any' || privateHosts.includes(url.host) || privateHosts.includes(host);
  if (!isAllowed && ipaddr.isValid(host) && !isPublic(host)) return Promise.reject(refused(host));
  const options: RequestOptions = {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    ...(isAllowed ? {} : { lookup: publicLookup }),
    ...(signal ? { signal } : {}),
    // A connection that was opened for another host would skip the lookup.
    agent: false,
  };
  return new Promise((resolve, reject) => {
    let isSent = false;
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size <= mostBytes) chunks.push(chunk);
        else response.destroy();
      });
      // The part received until then is enough.
      response.on('close', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    const timer = setTimeout(() => request.destroy(new Error('It did not answer in time.')), timeMs);
    request.on('close', () => clearTimeout(timer));
    request.on('finish', () => {
      isSent = true;
    });
    request.on('error', (error) =>
      reject(error instanceof PrivateAddress ? error : new NoAnswer(wordsOf(error), isSent)),
    );
    request.end(body);
  });
}

const refused = (host: string) => new PrivateAddress(`${host} is in a private network, which cannot be a target.`);

/** The only IPv6 range with assigned addresses; the rest has forms such as `::7f00:1` that stand for IPv4 addresses. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

export function isPublic(address: string): boolean {
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(globalUnicast)) return false;
  return parsed.range() === 'unicast';
}

export const publicLookup: LookupFunction = (name, options, done) => {
  resolveName(name, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, '', 0);
    const inside = addresses.find(({ address }) => !isPublic(address));
    if (inside || !addresses[0]) return done(refused(name), '', 0);
    if (options.all) done(null, addresses);
    else done(null, addresses[0].address, addresses[0].family);
  });
};

function wordsOf(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOTFOUND') return 'Its address does not exist.';
  if (error.code === 'ECONNREFUSED') return 'It refuses connections.';
  return error.message;
}
