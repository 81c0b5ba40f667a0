/** Runs at most this many at once; the others wait in order. */
export function turnstile(max: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let inside = 0;
  return async (work) => {
    if (inside < max) inside++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The next waiting call takes over the place.
      const next = waiting.shift();
      if (next) next();
      else inside--;
    }
  };
}
