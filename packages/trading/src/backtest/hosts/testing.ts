import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testPython } from '@atoll/kernels/test-python';
import { StrategyHost } from '../code/strategy-host.ts';
import type { Frame } from './frames.ts';
import { Host, type Hosts, noBytes } from './host.ts';
import { type HostCommand, newHostNames, pipesOf, startHosts } from './launch.ts';
import { PipeHost } from './pipe-host.ts';

/** Evaluates the strategy here, for tests of what the engine makes of it: as data it is what a process would answer. */
class LocalHost extends Host {
  readonly #host: StrategyHost;
  constructor(limitMs: number) {
    super();
    this.#host = new StrategyHost(limitMs);
  }
  exchange(message: object, payload = noBytes): Frame {
    const answer = this.#host.answer({ message: JSON.parse(JSON.stringify(message)), payload });
    return { message: JSON.parse(JSON.stringify(answer.message)), payload: answer.payload };
  }
  end(): void {}
}
export const localHosts = (limitMs = 10_000): Hosts => ({
  language: 'typescript',
  open: () => new LocalHost(limitMs),
});

/** Processes as in production, but not confined; `close` ends them. */
export function hostsForTests(language: HostCommand['language'], limits: Partial<HostCommand> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'strategy-hosts-'));
  const executable = language === 'python' ? testPython || '/usr/bin/python3' : process.execPath;
  const command: HostCommand = { language, executable, prefix: [], cpuSeconds: 60, memoryMb: 256, ...limits };
  const started: { close(): void }[] = [];
  const hosts: Hosts = {
    language,
    open() {
      const names = newHostNames(1);
      execFileSync('mkfifo', pipesOf(folder, names));
      started.push(startHosts(command, folder, names));
      return new PipeHost(folder, names[0] as string);
    },
  };
  const close = () => {
    for (const each of started) each.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { hosts, close };
}
