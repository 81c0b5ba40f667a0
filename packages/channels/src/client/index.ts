/** Exports for the browser, beside the official client; imports nothing of Node's. */
export * from './command-queue.ts';
export { requestId } from './request-id.ts';
