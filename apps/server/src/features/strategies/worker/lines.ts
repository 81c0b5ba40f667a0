import type { Readable } from 'node:stream';

/** Lines of text, of at most so many bytes together: the other side may write what it wants, and is not read further. */
export function readLines(
  stream: Readable,
  mostBytes: number,
  { onLine, onTooMuch }: { onLine(line: string): void; onTooMuch?(): void },
): void {
  let parts: Buffer[] = [];
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > mostBytes) {
      parts = [];
      stream.removeAllListeners('data');
      stream.pause();
      onTooMuch?.();
      return;
    }
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      parts.push(chunk.subarray(from, end));
      from = end + 1;
      const line = Buffer.concat(parts).toString();
      parts = [];
      onLine(line);
    }
    if (from < chunk.length) parts.push(chunk.subarray(from));
  });
}
