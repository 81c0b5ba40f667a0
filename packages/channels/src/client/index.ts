/** What goes with the official client in the browser; imports nothing of Node's. */
export * from './command-queue.ts';
export { requestId } from './request-id.ts';
