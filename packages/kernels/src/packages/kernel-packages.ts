import { chmod, copyFile, link, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fields } from '../port.ts';
import type { DistributionFile } from '../pyodide/distribution.ts';
import { isThere, type Layer, problemOf } from './installer.ts';
import { joinRequirements, PackageProblem, packageName, readRequirements } from './requirements.ts';

/** A kernel's request for packages, of the type `atoll_packages`; the kernel waits for a file in its folder. */
type Request =
  | { id: string; kind: 'install'; requirements: string[] }
  /** Names from import statements, for packages that come with Python in WebAssembly. */
  | { id: string; kind: 'modules'; names: string[] };

export interface PackageSource {
  install(project: string, requirements: string[]): Promise<Layer>;
  /** Returns files in the order in which they must be unpacked. */
  modules?(names: string[], say: (line: string) => Promise<void>): Promise<DistributionFile[]>;
}

const idForm = /^[\w-]{1,64}$/;
const mostRequests = 1_000;

/**
 * One kernel's packages. The kernel reads this folder and cannot write to it: it contains the answers, and links to the
 * packages that were fetched for it.
 */
export class KernelPackages {
  readonly folder: string;
  readonly #source: PackageSource;
  #project: string | null = null;
  #requirements: string[] = [];
  #installed: Layer['installed'] = [];
  #turn: Promise<unknown> = Promise.resolve();
  #requests = 0;

  constructor(folder: string, source: PackageSource) {
    this.folder = folder;
    this.#source = source;
  }

  async make(): Promise<void> {
    // The user who runs the kernel must be able to reach it.
    await mkdir(join(this.folder, 'answers'), { recursive: true, mode: 0o755 });
    await chmod(this.folder, 0o755);
  }

  /** Assigns the kernel to a project; returns the problem with the project's packages, if there was one. */
  async assign(project: string, lines: string[]): Promise<string | null> {
    this.#project = project;
    if (lines.length === 0) return null;
    return this.#inTurn(async () => {
      try {
        await this.#add(readRequirements(lines));
        return null;
      } catch (error) {
        return `requirements.txt: ${problemOf(error)}`;
      }
    });
  }

  /** Never rejects: the kernel gets an answer in every case. */
  async hear(content: Fields): Promise<void> {
    const { id, kind } = content;
    if (typeof id !== 'string' || !idForm.test(id) || ++this.#requests > mostRequests) return;
    const request = content as unknown as Request;
    const say = (line: string) => writeFile(join(this.folder, 'answers', `${id}.log`), `${line}\n`, { flag: 'a' });
    await this.#inTurn(async () => {
      const answer = await (kind === 'install' ? this.#install(request, say) : this.#modules(request, say)).catch(
        (error: unknown) => ({ problem: problemOf(error) }),
      );
      const place = join(this.folder, 'answers', `${id}.json`);
      await writeFile(`${place}.new`, JSON.stringify(answer));
      await rename(`${place}.new`, place);
    }).catch((error: unknown) => console.error(error));
  }

  close(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  async #install(request: Request, say: (line: string) => Promise<void>): Promise<Fields> {
    if (request.kind !== 'install') throw new PackageProblem('This cannot be asked for.');
    const added = readRequirements(listOfText(request.requirements));
    if (added.length === 0) throw new PackageProblem('Name the packages to install, such as: %pip install seaborn');
    await say(`Fetching ${added.join(', ')}`);
    const before = new Set(this.#installed.map(keyOf));
    const { installed: all, requirements } = await this.#add(added);
    const installed = all.filter((each) => !before.has(keyOf(each)));
    const wanted = new Set(added.map(packageName));
    return { problem: null, installed, requirements: requirements.filter((line) => wanted.has(packageName(line))) };
  }

  async #modules(request: Request, say: (line: string) => Promise<void>): Promise<Fields> {
    if (request.kind !== 'modules' || !this.#source.modules) throw new PackageProblem('This cannot be asked for.');
    const files = await this.#source.modules(listOfText(request.names), say);
    await mkdir(join(this.folder, 'files'), { recursive: true });
    for (const { path, name } of files) await linkOrCopy(path, join(this.folder, 'files', name));
    return { problem: null, files: files.map(({ name, target }) => ({ name: `files/${name}`, target })) };
  }

  async #add(added: string[]): Promise<Layer> {
    if (this.#project === null) throw new PackageProblem('Packages are installed in projects only.');
    const requirements = joinRequirements(this.#requirements, added);
    const layer = await this.#source.install(this.#project, requirements);
    const place = join(this.folder, layer.name);
    if (!(await isThere(place))) await linkTree(layer.folder, place);
    await writeFile(join(this.folder, 'current.new'), layer.name);
    await rename(join(this.folder, 'current.new'), join(this.folder, 'current'));
    this.#requirements = layer.requirements;
    this.#installed = layer.installed;
    return layer;
  }

  #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }
}

const keyOf = ({ name, version }: Layer['installed'][number]): string => `${name} ${version}`;

const listOfText = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') await copyFile(from, to);
  });
}

async function linkTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o755 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await linkTree(source, target);
    else if (entry.isFile()) await linkOrCopy(source, target);
  }
}
