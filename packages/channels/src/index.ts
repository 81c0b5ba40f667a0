/**
 * A server for the Phoenix Channels protocol, version 2, over WebSocket and long polling. It knows topics and messages, but
 * no business rules: the handlers that `route` returns decide joins and run commands.
 */

export { createPresence } from './presence.ts';
export * from './presence-types.ts';
export { createChannelServer } from './server.ts';
export * from './types.ts';
