import { createHash, randomUUID } from 'node:crypto';
import { access, chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Distribution, pyodideVersion } from '../pyodide/distribution.ts';
import { type PipOptions, pip } from './pip.ts';
import { PackageProblem, type PackageRules, packageName, requireAllowed } from './requirements.ts';

/** What a project has beside the packages for everybody: a folder that never changes. */
export interface Layer {
  folder: string;
  name: string;
  /** Every package in it. */
  installed: { name: string; version: string }[];
  /** With the versions that were found: the same again another day. */
  requirements: string[];
}

export interface InstallerOptions {
  /** One folder for each project is made here; kernels must be able to read it. */
  folder: string;
  environment: Record<string, string | undefined>;
  rules: PackageRules;
}

/** For one kind of kernel. */
export interface LayerMaker {
  /** Layers of another one are of no use to it. */
  key: string;
  executable: string;
  fill(requirements: string[], place: string, options: PipOptions): Promise<Layer['installed']>;
}

/** Beside the newest. */
const keptLayers = 2;

/** Fetches packages outside of the sandbox, without running anything of them. */
export class Installer {
  readonly #options: InstallerOptions;
  readonly #making = new Map<string, Promise<Layer>>();

  constructor(options: InstallerOptions) {
    this.#options = options;
  }

  async install(project: string, requirements: string[], maker: LayerMaker): Promise<Layer> {
    requireAllowed(requirements, this.#options.rules);
    const parent = join(this.#options.folder, project);
    const name = this.#name(requirements, maker);
    const made = await readLayer(parent, name);
    if (made) return { ...made, requirements };
    const key = join(parent, name);
    const making = this.#making.get(key) ?? this.#make(parent, requirements, maker);
    this.#making.set(key, making);
    return making.finally(() => this.#making.delete(key));
  }

  /** By what is in it: it never changes. */
  #name(requirements: string[], { key }: LayerMaker): string {
    const content = JSON.stringify([key, this.#options.rules.index, requirements]);
    return createHash('sha256').update(content).digest('hex').slice(0, 32);
  }

  async #make(parent: string, asked: string[], maker: LayerMaker): Promise<Layer> {
    const { environment, rules } = this.#options;
    const work = join(parent, `new-${randomUUID()}`);
    const place = join(work, 'layer');
    await mkdir(place, { recursive: true, mode: 0o755 });
    try {
      const options = { executable: maker.executable, rules, folder: work, environment };
      const installed = await maker.fill(asked, place, options);
      const requirements = asked.map((line) => pinned(line, installed)).sort();
      const name = this.#name(requirements, maker);
      await chmod(place, 0o755);
      await writeFile(join(place, record), JSON.stringify(installed));
      if (!(await readLayer(parent, name))) await rename(place, join(parent, name));
      await removeOld(parent, name);
      return { folder: join(parent, name), name, installed, requirements };
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  }
}

const record = 'installed.json';

/** Without a version there would be another one some day, and the notebook show something else. */
function pinned(line: string, installed: Layer['installed']): string {
  if (!/^[^=<>!~;]*$/.test(line)) return line;
  const found = installed.find(({ name }) => packageName(name) === packageName(line));
  return found ? `${line}==${found.version}` : line;
}

async function readLayer(parent: string, name: string): Promise<Omit<Layer, 'requirements'> | null> {
  try {
    const installed = JSON.parse(await readFile(join(parent, name, record), 'utf8')) as Layer['installed'];
    return { folder: join(parent, name), name, installed };
  } catch {
    return null;
  }
}

/** Kernels have links to what they use of them. */
async function removeOld(parent: string, newest: string): Promise<void> {
  const names = (await readdir(parent)).filter((name) => name !== newest && !name.startsWith('new-'));
  const dated = await Promise.all(
    names.map(async (name) => ({
      name,
      at: await stat(join(parent, name)).then(
        ({ ctimeMs }) => ctimeMs,
        () => 0,
      ),
    })),
  );
  for (const { name } of dated.sort((one, other) => other.at - one.at).slice(keptLayers))
    await rm(join(parent, name), { recursive: true, force: true });
}

interface Report {
  install: {
    metadata: { name: string; version: string };
    download_info: { archive_info?: { hash?: string } };
  }[];
}

/** For a Python of this machine: what it has already is left out. */
export const pythonLayers = ({ executable, version }: { executable: string; version: string }): LayerMaker => ({
  key: `${executable} ${version}`,
  executable,
  async fill(requirements, place, options) {
    const report = join(options.folder, 'report.json');
    await pip('install', ['--dry-run', '--quiet', `--report=${report}`, '--', ...requirements], options);
    const { install } = JSON.parse(await readFile(report, 'utf8')) as Report;
    const lines = install.map(({ metadata: { name, version }, download_info: { archive_info } }) => {
      const hash = archive_info?.hash?.replace('=', ':');
      return `${name}==${version}${hash ? ` --hash=${hash}` : ''}`;
    });
    const chosen = join(options.folder, 'chosen.txt');
    await writeFile(chosen, lines.join('\n'));
    if (lines.length > 0) await pip('install', ['--quiet', '--no-deps', `--target=${place}`, '-r', chosen], options);
    return install.map(({ metadata: { name, version } }) => ({ name, version }));
  },
});

const wheelForm = /^([A-Za-z0-9._]+)-([^-]+)(?:-\d[^-]*)?-[^-]+-[^-]+-[^-]+\.whl$/;

/** For Python as WebAssembly: wheels that need no compiler, and those of Pyodide's distribution by their hashes. */
export const pyodideLayers = (executable: string, distribution: Distribution): LayerMaker => ({
  key: `pyodide ${pyodideVersion}`,
  executable,
  async fill(requirements, place, options) {
    const { python, abi_version } = distribution.info;
    const [major, minor] = python.split('.');
    const page = join(options.folder, 'distribution.html');
    await writeFile(page, distribution.links());
    const target = [
      `--python-version=${major}.${minor}`,
      '--implementation=cp',
      ...[`cp${major}${minor}`, 'abi3', 'none'].map((abi) => `--abi=${abi}`),
      ...[`pyemscripten_${abi_version}_wasm32`, 'any'].map((platform) => `--platform=${platform}`),
    ];
    const where = ['--quiet', `--dest=${place}`, `--find-links=${page}`];
    await pip('download', [...where, ...target, '--', ...requirements], options);
    return (await readdir(place)).flatMap((file) => {
      const [, name, version] = wheelForm.exec(file) ?? [];
      return name && version ? [{ name: packageName(name), version }] : [];
    });
  },
});

export const isThere = (place: string): Promise<boolean> =>
  access(place).then(
    () => true,
    () => false,
  );

/** To whoever asked for them; the rest is ours to look into. */
export const problemOf = (error: unknown): string => {
  if (error instanceof PackageProblem) return error.message;
  console.error(error);
  return 'The packages could not be installed: something went wrong on the server.';
};
