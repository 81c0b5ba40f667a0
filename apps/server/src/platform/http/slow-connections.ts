import type { FastifyInstance } from 'fastify';

/** A client may be silent for this long in the middle of a request. */
export const longestSilenceMs = 20_000;

/** Ends connections whose request stalls, so that they hold no place; an answer may take as long as it needs. */
export function dropSlowConnections(http: FastifyInstance, silenceMs = longestSilenceMs): void {
  http.server.headersTimeout = silenceMs;
  http.addHook('onRequest', (request, _reply, done) => {
    const { raw } = request;
    const { socket } = raw;
    // Requests that arrive whole, and injected ones, have no more data to wait for.
    if (!raw.complete && socket?.setTimeout) {
      const end = () => socket.destroy();
      const stop = () => {
        socket.setTimeout(0);
        socket.off('timeout', end);
      };
      socket.setTimeout(silenceMs);
      socket.once('timeout', end);
      raw.once('end', stop);
      raw.once('close', stop);
    }
    done();
  });
}
