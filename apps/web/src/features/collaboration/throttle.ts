/** Calls at most once in a time, with the last word. */
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
