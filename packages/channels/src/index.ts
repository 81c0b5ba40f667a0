/**
 * A server for the Phoenix Channels protocol, version 2, over WebSocket and long polling. It knows topics and messages
 * and no business: who may join and what a command does is in the handlers that `route` answers with.
 */

export { createPresence } from './presence.ts';
export * from './presence-types.ts';
export { createChannelServer } from './server.ts';
export * from './types.ts';
