/** Runs once the browser is idle, within two seconds; returns a function to cancel it. */
export function whenIdle(run: () => void): () => void {
  // Safari has no requestIdleCallback.
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(run, 500);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(run, { timeout: 2_000 });
  return () => cancelIdleCallback(handle);
}
