import type { ThemeMode } from '@atoll/contract/fields';

interface ModeSources {
  /** Set by the host: the messaging app's colour scheme, or the page that embeds this one. */
  requested: string | null | undefined;
  query: string | null | undefined;
  stored: string | null | undefined;
  platform: ThemeMode;
}

/** Light or dark, by the first source that sets one (spec section 1). */
export function resolveMode({ requested, query, stored, platform }: ModeSources): ThemeMode {
  return [requested, query, stored].find(isMode) ?? platform;
}

export const isMode = (value: unknown): value is ThemeMode => value === 'light' || value === 'dark';

export const otherMode = (mode: ThemeMode): ThemeMode => (mode === 'light' ? 'dark' : 'light');

/** The mode that an embedding page of the same site set on its frame, or on our root element. */
export function requestedByPage(): string | undefined {
  const own = document.documentElement.dataset.mode;
  if (own) return own;
  try {
    return (window.frameElement as HTMLElement | null)?.dataset.mode;
  } catch {
    return undefined;
  }
}
