/** Whether the session expired while the page was open; any call may find this out. */
let expired = false;
let listeners: (() => void)[] = [];
let begun = 0;

export const isExpired = (): boolean => expired;

/** The number of sessions begun here: an answer to a call of an earlier session does not count for the current one. */
export const sessionsBegun = (): number => begun;

/** Called with false when a session begins. */
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
