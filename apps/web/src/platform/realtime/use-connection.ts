import { useSyncExternalStore } from 'react';
import { type Connection, getConnection, onConnection } from './connection.ts';

export const useConnection = (): Connection => useSyncExternalStore(onConnection, getConnection);
