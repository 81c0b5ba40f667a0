/** A page to come back to; only paths of this site, so that a link cannot send people elsewhere. */
export function localPath(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= 500 && /^\/(?![/\\])[^\s\\]*$/.test(value) ? value : undefined;
}
