/** The spec's times, in milliseconds (sections 4 and 9). */
export const rejoinDelays = [1_000, 2_000, 5_000, 10_000];
export const reconnectDelays = [10, 50, 100, 150, 200, 250, 500, 1_000, 2_000, 5_000];
export const heartbeatMs = 30_000;
export const joinTimeoutMs = 60_000;
export const commandTimeoutMs = 10_000;
export const socketWait = { timeoutMs: 6_000, everyMs: 300 };
/** For a server that is busy just now. */
export const busyRetry = { timeoutMs: 5_000, everyMs: 250 };

/** A websocket that opens and stays mute is given up after this; one that fails, at once. */
export const longPollFallbackMs = 2_500;
export const maxMute = 3;
/** Polling that began while the server was away need not go on for ever. */
export const backToWebsocketMs = 60_000;
/** A token lives for 60 s; one that could end on its way is not used. */
export const tokenReuseMs = 45_000;
/** Signing in ends the old session too, and the answer with the new one may still be on its way. */
export const sessionEndedGraceMs = 3_000;
/** By then it is no restart of the server: it is said that there are no live updates. */
export const refusedAfterTries = 12;
/** Going from one page to the next must not leave a topic that both use. */
export const leaveDelayMs = 1_000;

export const delayOf = (delays: number[], tries: number): number =>
  delays[Math.min(tries, delays.length) - 1] ?? (delays[0] as number);
