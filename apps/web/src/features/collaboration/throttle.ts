/** Calls at most once in the given time, at its end. */
export function throttle(run: () => void, everyMs: number): () => void {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      run();
    }, everyMs);
  };
}
