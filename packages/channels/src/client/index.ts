/** What goes with the official client in the browser; imports nothing of Node's. */
export * from './outbox.ts';
export { requestId } from './request-id.ts';
