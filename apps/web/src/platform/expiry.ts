/** Whether the session ran out while the page was open; any call may be the one that finds out. */
let expired = false;
let listeners: (() => void)[] = [];

export const isExpired = (): boolean => expired;

export function setExpired(value: boolean): void {
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
