import { apiPrefix } from 'virtual:api-prefix';
import { readError } from './api-error.ts';
import { authHeaders } from './credentials.ts';

let rootPath = '';

export function setRootPath(path: string): void {
  rootPath = path.replace(/\/+$/, '');
}

export const getRootPath = (): string => rootPath;

export const apiBase = (): string => `${location.origin}${rootPath}${apiPrefix}`;

/** `fetch` that turns every refusal into an ApiError; the typed client and the start-up calls both go through it. */
export async function send(request: Request | string, init?: RequestInit): Promise<Response> {
  const response = await fetch(request, init);
  if (!response.ok) throw await readError(response);
  return response;
}

/** Used by the two calls before the typed client is loaded: the theme and the session. */
export async function getJson<Answer>(path: string, query: Record<string, string | boolean | undefined> = {}) {
  const url = new URL(apiBase() + path);
  for (const [key, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(key, String(value));
  const response = await send(url.href, { headers: authHeaders(), credentials: 'same-origin' });
  return (await response.json()) as Answer;
}
