import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import ipaddr from 'ipaddr.js';
import { isPublic, PrivateAddress, publicLookup } from './post.ts';

/** `fetch` for addresses that people typed: it reaches no host in the operator's own network and follows no redirect. */
export const publicFetch: typeof fetch = (input, init) => fetchOutside(input, init, []);

/** The same, with these additional hosts, which the operator allowed. */
export async function fetchOutside(
  input: Parameters<typeof fetch>[0],
  init: RequestInit = {},
  privateHosts: readonly string[],
): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : String(input));
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isAllowed = privateHosts.includes(url.host) || privateHosts.includes(host);
  if (!isAllowed && ipaddr.isValid(host) && !isPublic(host))
    throw new PrivateAddress(`${host} is not reached from here.`);
  const { method = 'GET', headers, body, signal } = init;
  return new Promise((resolve, reject) => {
    const options = {
      method,
      headers: Object.fromEntries(new Headers(headers)),
      ...(isAllowed ? {} : { lookup: publicLookup }),
      agent: false as const,
      ...(signal ? { signal } : {}),
    };
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options, (response) => {
      const status = response.statusCode ?? 502;
      const given = Object.entries(response.headers).flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, String(value)]],
      );
      const isEmpty = status === 204 || status === 304;
      const content = isEmpty ? null : (Readable.toWeb(response) as ConstructorParameters<typeof Response>[0]);
      resolve(new Response(content, { status: status < 200 ? 502 : status, headers: given }));
    });
    request.on('error', reject);
    request.end(typeof body === 'string' || body instanceof Uint8Array ? body : undefined);
  });
}
