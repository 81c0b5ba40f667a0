import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PythonConnection, PythonEnded } from './connection.ts';

test('an answer larger than any test needs is not waited for, and nothing is read after it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-connection-'));
  execFileSync('sh', ['-c', 'mkfifo "$0/to" "$0/from"', folder]);
  const hello = '{"version":"3"}';
  const helloAsked = 8 + '{"do":"hello"}'.length;
  // Says hello, and answers the next question with the head of a frame of four gigabytes.
  const other = spawn('sh', [
    '-c',
    `exec 3<"$0/to" 4>"$0/from"
     head -c ${helloAsked} <&3 >/dev/null; printf '\\017\\0\\0\\0\\0\\0\\0\\0%s' '${hello}' >&4
     head -c 1 <&3 >/dev/null; printf '\\377\\377\\377\\377\\0\\0\\0\\0' >&4
     sleep 600`,
    folder,
  ]);
  try {
    const connection = new PythonConnection(folder);
    expect(connection.version).toBe('3');
    expect(() => connection.exchange({ do: 'end' })).toThrow(PythonEnded);
    expect(() => connection.exchange({ do: 'end' })).toThrow(PythonEnded);
    connection.close();
  } finally {
    other.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
});
