/** The state of the live connection, as the page shows it. */
export interface Connection {
  /** Whether any part of the page needs a live connection. */
  isWanted: boolean;
  isOpen: boolean;
  isPolling: boolean;
  /** The server is reachable and refuses the connection. */
  isRefused: boolean;
}

const off: Connection = { isWanted: false, isOpen: false, isPolling: false, isRefused: false };
let connection = off;
const listeners = new Set<() => void>();

export const getConnection = (): Connection => connection;

export function onConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function changeConnection(change: Partial<Connection> | null): void {
  connection = change ? { ...connection, ...change } : off;
  for (const listener of listeners) listener();
}
