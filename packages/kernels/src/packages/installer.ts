import { createHash, randomUUID } from 'node:crypto';
import { access, chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Distribution, pyodideVersion } from '../pyodide/distribution.ts';
import { type PipOptions, pip } from './pip.ts';
import { PackageProblem, type PackageRules, packageName, requireAllowed } from './requirements.ts';

/** A project's packages beside those for everyone: a folder that never changes. */
export interface Layer {
  folder: string;
  name: string;
  /** Every package in it. */
  installed: { name: string; version: string }[];
  /** Pinned to the found versions, so that they stay the same another day. */
  requirements: string[];
}

export interface InstallerOptions {
  /** Folders for each project are created here; kernels must be able to read them. */
  folder: string;
  environment: Record<string, string | undefined>;
  rules: PackageRules;
}

/** Makes layers for one kind of kernel. */
export interface LayerMaker {
  /** Layers with another key do not work with it. */
  key: string;
  executable: string;
  fill(requirements: string[], place: string, options: PipOptions): Promise<Layer['installed']>;
}

/** The number of older layers kept beside the newest. */
const keptLayers = 2;

/** Fetches packages outside of the sandbox, without running any of their code. */
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

  /** Named by its content, because it never changes. */
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

/** Pins a version; otherwise another one would be installed some day, and the notebook would show other results. */
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

/** Removes old layers; kernels have links to the files they use. */
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

/** For a Python of this machine: packages that it has already are left out. */
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

/** For Python in WebAssembly: wheels that need no compiler, and those of Pyodide's distribution by their hashes. */
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

/** The message for the requester; other errors go to our log. */
export const problemOf = (error: unknown): string => {
  if (error instanceof PackageProblem) return error.message;
  console.error(error);
  return 'The packages could not be installed: something went wrong on the server.';
};
