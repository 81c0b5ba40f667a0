import { readLocal, writeLocal } from './storage.ts';

/**
 * The session lives in an HttpOnly cookie. Inside another site's frame (a messaging app, an embedding page) that cookie
 * is a third-party one and is not sent, so there the token is kept in memory, and only there.
 */
let bearer: string | null = null;
let guest: string | null = null;
let framed = false;

export function tokenInMemory(isFramed: boolean): void {
  framed = isFramed;
}

export function keepToken(token: string | null): void {
  if (framed && token) bearer = token;
}

export function dropToken(): void {
  bearer = null;
}

export function authHeaders(): Record<string, string> {
  return bearer ? { authorization: `Bearer ${bearer}` } : {};
}

export function guestId(): string {
  guest ??= readLocal('guest_id');
  return guest && /^[A-Za-z0-9_-]{16,64}$/.test(guest) ? guest : renewGuestId();
}

export function renewGuestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(18));
  guest = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
  writeLocal('guest_id', guest);
  return guest;
}

/** Stores that a person came to import a repository; it is sent when they create a session (spec section 1). */
export function markUserSource(pathname: string): void {
  if (pathname.startsWith('/projects/import/')) writeLocal('user_source', 'git_import');
}

export const userSource = (): string | undefined => readLocal('user_source') ?? undefined;
