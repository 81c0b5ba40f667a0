/** The spec's times, in milliseconds (sections 4 and 9). */
export const rejoinDelays = [1_000, 2_000, 5_000, 10_000];
export const reconnectDelays = [10, 50, 100, 150, 200, 250, 500, 1_000, 2_000, 5_000];
export const heartbeatMs = 30_000;
export const joinTimeoutMs = 60_000;
export const commandTimeoutMs = 10_000;
export const socketWait = { timeoutMs: 6_000, everyMs: 300 };
/** Times for retrying while the server is busy. */
export const busyRetry = { timeoutMs: 5_000, everyMs: 250 };

/** A websocket that opens and stays silent is given up after this time; one that fails, at once. */
export const longPollFallbackMs = 2_500;
export const maxMute = 3;
/** After this time of polling, which may have begun while the server was away, the websocket is tried again. */
export const backToWebsocketMs = 60_000;
/** A token lives for 60 s; one that could expire on its way is not used. */
export const tokenReuseMs = 45_000;
/** Signing in ends the old session too, and the answer with the new one may still be on its way. */
export const sessionEndedGraceMs = 3_000;
/** A restart of the server is over by then, so the page shows that there are no live updates. */
export const refusedAfterTries = 12;
/** Delays leaving, so that going from one page to the next does not leave a topic that both use. */
export const leaveDelayMs = 1_000;

export const delayOf = (delays: number[], tries: number): number =>
  delays[Math.min(tries, delays.length) - 1] ?? (delays[0] as number);
