import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pipEnvironment } from '../python/environment.ts';
import { lastLine } from '../python/failures.ts';
import { runQuietly } from '../python/run.ts';
import { PackageProblem, type PackageRules } from './requirements.ts';

export interface PipOptions {
  /** An interpreter with pip. */
  executable: string;
  rules: PackageRules;
  /** Everything that pip writes is below it, and counted. */
  folder: string;
  environment: Record<string, string | undefined>;
}

const lookMs = 500;

/** Accepts built packages only: building runs code of the package, outside of any sandbox. */
const cautious = ['--no-input', '--disable-pip-version-check', '--only-binary=:all:', '--no-cache-dir', '--retries=2'];

export async function pip(command: 'install' | 'download', parameters: string[], options: PipOptions): Promise<void> {
  const { executable, rules, folder, environment } = options;
  const stop = new AbortController();
  let problem: string | null = null;
  const end = (why: string) => {
    problem ??= why;
    stop.abort();
  };
  const tooLarge = `They take more than the ${Math.round(rules.mostBytes / 1024 ** 2)} MB that a project's packages may take.`;
  const watching = watchSize(folder, rules.mostBytes, stop.signal, () => end(tooLarge));
  const timer = AbortSignal.timeout(rules.timeoutMs);
  timer.addEventListener('abort', () => end(`It took longer than ${Math.round(rules.timeoutMs / 1000)} s.`));
  const index = rules.index ? [`--index-url=${rules.index}`] : [];
  // Isolated, so that pip imports no files that were put beside it.
  const { code, output } = await runQuietly(
    executable,
    ['-I', '-m', 'pip', command, ...cautious, ...index, ...parameters],
    { environment: { ...pipEnvironment({ environment, folder }), TMPDIR: folder }, signal: stop.signal },
  );
  stop.abort();
  await watching;
  if (problem !== null) throw new PackageProblem(problem);
  if (code !== 0) throw new PackageProblem(explained(output));
  if ((await sizeOf(folder)) > rules.mostBytes) throw new PackageProblem(tooLarge);
}

async function watchSize(folder: string, most: number, signal: AbortSignal, onExceeded: () => void): Promise<void> {
  while (!signal.aborted) {
    if ((await sizeOf(folder)) > most) return onExceeded();
    await setTimeout(lookMs, undefined, { signal }).catch(() => {});
  }
}

export async function sizeOf(folder: string): Promise<number> {
  let sum = 0;
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) sum += await sizeOf(path);
    // The file may be deleted by now.
    else
      sum += await stat(path).then(
        ({ size }) => size,
        () => 0,
      );
  }
  return sum;
}

const network =
  /name resolution|Name or service not known|NewConnectionError|ConnectTimeout|Read timed out|Connection (?:refused|reset|aborted|broken)|ProxyError|Network is unreachable|SSLError/;

/** Explains the failure for the requester; pip's own messages are about indexes and wheels. */
function explained(output: string): string {
  if (network.test(output)) return 'The package index cannot be reached from this server.';
  const missing = /No matching distribution found for ([^\s(]+)/.exec(output)?.[1];
  if (missing && /\(from versions: none\)/.test(output))
    return `There is no package ${missing} that is built for this Python. Packages that have to be compiled first are not installed here.`;
  if (missing) return `There is no version of this package that fits: ${missing}.`;
  if (/ResolutionImpossible|conflicting dependencies/.test(output))
    return 'These packages need versions of other packages that exclude each other.';
  if (/No space left on device/.test(output)) return 'The disk of the server is full.';
  if (/no such option: --(?:dry-run|report)/.test(output)) return 'The pip of this Python is too old; 22.2 is needed.';
  if (/No module named pip/.test(output)) return 'The Python of this server has no pip.';
  return lastLine(output);
}
