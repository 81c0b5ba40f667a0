/** Whether the session ran out while the page was open; any call may be the one that finds out. */
let expired = false;
let listeners: (() => void)[] = [];
let begun = 0;

export const isExpired = (): boolean => expired;

/** How many sessions have begun here: what was asked in the one before says nothing of this one. */
export const sessionsBegun = (): number => begun;

/** False when a session begins. */
export function setExpired(value: boolean): void {
  if (!value) begun++;
  if (expired === value) return;
  expired = value;
  for (const listener of listeners) listener();
}

export function onExpiry(listener: () => void): () => void {
  listeners = [...listeners, listener];
  return () => {
    listeners = listeners.filter((other) => other !== listener);
  };
}
