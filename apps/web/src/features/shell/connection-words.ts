import type { Connection } from '../../platform/realtime/connection.ts';

export interface ConnectionWords {
  kind: 'offline' | 'reconnecting' | 'refused';
  label: string;
  text: string;
}

/** What to say about the connection; null while it is fine. */
export function connectionWords(connection: Connection, isOnline: boolean): ConnectionWords | null {
  const { isWanted, isOpen, isPolling, isRefused } = connection;
  if (!isOnline) {
    const text = 'This device has no network. What you change is sent when it is back.';
    return { kind: 'offline', label: 'Offline. What you change is sent when you are back.', text };
  }
  if (!isWanted || isOpen) return null;
  if (isRefused) {
    const text =
      'The server does not take the live connection. Everything is still saved; reload to see what others change.';
    return { kind: 'refused', label: 'No live updates', text };
  }
  const polling = isPolling ? ' Live updates by polling.' : '';
  return {
    kind: 'reconnecting',
    label: 'Reconnecting…',
    text: `What others change will show once the connection is back. What you change is saved.${polling}`,
  };
}
