import { readLocal, writeLocal } from '../../platform/storage.ts';

export const isMac = typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.platform);

type KeyLike = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** The pressed keys in the format of bindings: `Mod+Shift+Enter`. Where `Mod` is Control, both are the same. */
export function pressed(event: KeyLike, mac = isMac): string {
  const key = keyOf(event);
  const parts = [
    event.metaKey && (mac ? 'Mod' : 'Meta'),
    event.ctrlKey && (mac ? 'Ctrl' : 'Mod'),
    event.altKey && 'Alt',
    event.shiftKey && !isSymbol(key) && 'Shift',
    key,
  ];
  return parts.filter(Boolean).join('+');
}

/** A symbol is named by its character, whichever keys make it; a letter is the same with and without Shift. */
const isSymbol = (key: string): boolean => key.length === 1 && !/[A-Z0-9.-]/i.test(key);

function keyOf({ key, code }: KeyLike): string {
  if (key === ' ') return 'Space';
  if (code === 'Minus') return '-';
  if (code === 'Period') return '.';
  if (/^Digit\d$/.test(code) && !/^\d$/.test(key)) return key;
  return key.length === 1 ? key.toUpperCase() : key;
}

/** Two presses within this time form one binding: `D D`. */
export const pairMs = 800;

export const normal = (binding: string, mac = isMac): string =>
  mac ? binding : binding.replaceAll('Ctrl+', 'Mod+').replaceAll('Mod+Mod+', 'Mod+');

const symbols: Record<string, string> = {
  Mod: isMac ? '⌘' : 'Ctrl',
  Ctrl: isMac ? '⌃' : 'Ctrl',
  Alt: isMac ? '⌥' : 'Alt',
  Shift: isMac ? '⇧' : 'Shift',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
};

/** The keys of a binding as labels for people: `Ctrl ⇧ Enter`. */
export const capsOf = (binding: string): string[][] =>
  binding.split(' ').map((press) => press.split(/\+(?=.)/).map((part) => symbols[part] ?? part));

const storageKey = 'notebook_keys';
export type Rebound = Record<string, string[]>;

export function readRebound(): Rebound {
  try {
    const kept: unknown = JSON.parse(readLocal(storageKey) ?? '{}');
    if (typeof kept !== 'object' || kept === null) return {};
    return Object.fromEntries(
      Object.entries(kept).filter(([, keys]) => Array.isArray(keys) && keys.every((each) => typeof each === 'string')),
    );
  } catch {
    return {};
  }
}

export const writeRebound = (rebound: Rebound): boolean =>
  writeLocal(storageKey, Object.keys(rebound).length ? JSON.stringify(rebound) : null);
