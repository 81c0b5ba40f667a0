import type { Platform } from '@atoll/contract';

/** The marks of the shipped themes: small enough to travel inside the theme. */
const svg = (body: string) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${body}</svg>`)}`;

export const marks: Record<Platform, string> = {
  // A ring of land with an opening to the sea.
  atoll: svg(
    '<rect width="32" height="32" rx="8" fill="#0f766e"/><path d="M22.6 9.4a9.3 9.3 0 1 0 2.7 6.6" fill="none" stroke="#fff" stroke-width="3.4" stroke-linecap="round"/><circle cx="16" cy="16" r="2.6" fill="#5eead4"/>',
  ),
  // A rising line that crosses its meridian.
  crypto: svg(
    '<rect width="32" height="32" rx="4" fill="#4338ca"/><path d="M6 22l7-8 5 5 8-11" fill="none" stroke="#fff" stroke-width="3" stroke-linejoin="miter"/><path d="M16 5v22" stroke="#f5b83d" stroke-width="1.8" stroke-dasharray="2.4 2.4"/>',
  ),
  // A folded sheet.
  dpasa: svg(
    '<path d="M7 4h12l6 6v18H7z" fill="#9a3412"/><path d="M19 4v6h6z" fill="#fed7aa"/><path d="M11 15h10M11 19h10M11 23h6" stroke="#fff7ed" stroke-width="1.8"/>',
  ),
};
