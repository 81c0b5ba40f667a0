import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { access, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PackageProblem } from '../packages/requirements.ts';

const require = createRequire(import.meta.url);
export const pyodideFolder = dirname(require.resolve('pyodide/package.json'));
export const pyodideVersion: string = require('pyodide/package.json').version;

interface LockedPackage {
  name: string;
  file_name: string;
  sha256: string;
  imports: string[];
  depends: string[];
  install_dir: string;
}

export interface PyodideLock {
  info: { python: string; abi_version: string; platform: string };
  packages: Record<string, LockedPackage>;
}

export const readLock = (): PyodideLock =>
  JSON.parse(readFileSync(join(pyodideFolder, 'pyodide-lock.json'), 'utf8')) as PyodideLock;

export const officialAddress = `https://cdn.jsdelivr.net/pyodide/v${pyodideVersion}/full`;

const longestMs = 5 * 60_000;

export interface DistributionFile {
  path: string;
  name: string;
  target: string;
}

/** The packages that were built for this Pyodide. Its lock file has their hashes, so their source need not be trusted. */
export class Distribution {
  readonly #base: string;
  readonly #folder: string;
  readonly #lock: PyodideLock;
  readonly #byImport = new Map<string, string>();
  readonly #fetching = new Map<string, Promise<string>>();

  constructor({
    base = officialAddress,
    folder,
    lock = readLock(),
  }: { base?: string; folder: string; lock?: PyodideLock }) {
    this.#base = base.replace(/\/+$/, '');
    this.#folder = folder;
    this.#lock = lock;
    for (const [name, { imports }] of Object.entries(lock.packages))
      for (const each of imports) this.#byImport.set(each.split('.')[0] ?? each, name);
  }

  get info(): PyodideLock['info'] {
    return this.#lock.info;
  }

  /** The packages for imported modules, with their dependencies first. */
  async modules(imports: string[], say: (line: string) => Promise<void>): Promise<DistributionFile[]> {
    const wanted = new Map<string, LockedPackage>();
    const add = (name: string): void => {
      const found = this.#lock.packages[name];
      if (!found || wanted.has(name)) return;
      for (const each of found.depends) add(each);
      wanted.set(name, found);
    };
    for (const each of imports) add(this.#byImport.get(each) ?? '');
    if (wanted.size === 0) throw new PackageProblem(`There is no package ${imports.join(', ')} for this Python.`);
    await say(`Loading ${[...wanted.keys()].join(', ')}`);
    return Promise.all(
      [...wanted.values()].map(async (each) => ({
        path: await this.#get(each),
        name: each.file_name,
        target: each.install_dir,
      })),
    );
  }

  /** For pip, which checks the hashes. */
  links(): string {
    const links = Object.values(this.#lock.packages)
      .filter(({ file_name }) => file_name.endsWith('.whl'))
      .map(({ file_name, sha256 }) => `<a href="${this.#base}/${file_name}#sha256=${sha256}">${file_name}</a>`);
    return `<!DOCTYPE html><html><body>${links.join('\n')}</body></html>`;
  }

  #get(wanted: LockedPackage): Promise<string> {
    const fetching = this.#fetching.get(wanted.file_name) ?? this.#fetch(wanted);
    this.#fetching.set(wanted.file_name, fetching);
    return fetching.finally(() => this.#fetching.delete(wanted.file_name));
  }

  async #fetch({ name, file_name, sha256 }: LockedPackage): Promise<string> {
    const path = join(this.#folder, file_name);
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
    const address = `${this.#base}/${file_name}`;
    const content = await fetch(address, { signal: AbortSignal.timeout(longestMs) })
      .then(async (answer) => (answer.ok ? Buffer.from(await answer.arrayBuffer()) : `it answers ${answer.status}`))
      .catch(
        (error: Error) => `it cannot be reached (${(error.cause as Error | undefined)?.message ?? error.message})`,
      );
    if (typeof content === 'string')
      throw new PackageProblem(`${name} could not be fetched from ${new URL(address).host}: ${content}.`);
    if (createHash('sha256').update(content).digest('hex') !== sha256)
      throw new PackageProblem(
        `${name} from ${new URL(address).host} is not what Pyodide was released with, and is not used: its SHA-256 differs.`,
      );
    await mkdir(this.#folder, { recursive: true });
    const temporary = `${path}.${randomUUID()}`;
    try {
      await writeFile(temporary, content, { mode: 0o644 });
      await rename(temporary, path);
    } finally {
      await rm(temporary, { force: true });
    }
    return path;
  }
}
