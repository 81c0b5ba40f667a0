/** Storage throws in sandboxed and third-party frames; the workspace must start without it. */
export function readLocal(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Returns whether the value is stored; otherwise it lasts for this visit only. */
export function writeLocal(key: string, value: string | null): boolean {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}

/** Prefixes keys of data that this browser keeps of a person until they sign out. */
export const ofPerson = (me: string, name: string): string => `of:${me}:${name}`;

export function forgetPerson(me: string): void {
  for (const key of localKeys(ofPerson(me, ''))) writeLocal(key, null);
}

export function localKeys(prefix: string): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}

export function readForVisit(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

export function writeForVisit(key: string, value: string): void {
  try {
    sessionStorage.setItem(key, value);
  } catch {
    // The setting lasts until the next page.
  }
}
