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
    const text = 'You are offline. Changes are saved when you reconnect.';
    return { kind: 'offline', label: 'Offline. Changes are saved when you reconnect.', text };
  }
  if (!isWanted || isOpen) return null;
  if (isRefused) {
    const text = 'Live updates are not available. Changes are saved; reload to see changes by others.';
    return { kind: 'refused', label: 'No live updates', text };
  }
  const polling = isPolling ? ' Live updates by polling.' : '';
  return {
    kind: 'reconnecting',
    label: 'Reconnecting…',
    text: `Reconnecting. Your changes are saved.${polling}`,
  };
}
