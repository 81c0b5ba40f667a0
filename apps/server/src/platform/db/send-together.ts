import type { Duplex } from 'node:stream';

/** Statements issued before the first wait leave in one write, so that the database wakes up once. */
export function sendTogether<Stream extends Duplex>(stream: Stream): Stream {
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  let isHeld = false;
  const hold = (...args: unknown[]): boolean => {
    if (!isHeld) {
      isHeld = true;
      stream.cork();
      process.nextTick(() => {
        isHeld = false;
        stream.uncork();
      });
    }
    return write(...args);
  };
  return Object.assign(stream, { write: hold });
}
