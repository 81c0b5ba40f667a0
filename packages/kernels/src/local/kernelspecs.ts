import { access, readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import type { KernelSpec } from '../port.ts';
import type { Python } from '../python/find.ts';

export interface InstalledSpec extends KernelSpec {
  argv: string[];
  environment: Record<string, string>;
  /** The folder of its kernel.json. */
  folder: string;
  /** Its environment, such as a virtual environment; null for the machine's own. */
  prefix: string | null;
  /** The paths of the machine that it must be able to read. */
  readable: string[];
  /** The initial content of its home. */
  home?: string | null;
}

export interface SpecPlaces {
  /** The found or made Python with ipykernel, once there is one; it takes precedence. */
  python?: () => Pick<Python, 'executable' | 'prefix' | 'basePrefix' | 'version' | 'home'> | null;
  /** In the format of JUPYTER_PATH. */
  jupyterPath?: string;
  /** Prefixes of Python or Conda environments. */
  prefixes?: string[];
}

/** The first place with a name wins, as in Jupyter. */
export async function installedSpecs({
  python,
  jupyterPath = '',
  prefixes = [],
}: SpecPlaces): Promise<InstalledSpec[]> {
  const places: { data: string; prefix: string | null }[] = [
    ...jupyterPath.split(delimiter).filter(Boolean),
    join(homedir(), '.local/share/jupyter'),
  ].map((data) => ({ data, prefix: null }));
  places.push(...prefixes.map((prefix) => ({ data: join(prefix, 'share/jupyter'), prefix })));
  places.push({ data: '/usr/local/share/jupyter', prefix: null }, { data: '/usr/share/jupyter', prefix: null });
  const found = new Map<string, InstalledSpec>();
  const own = python?.();
  if (own) found.set('python3', pythonSpec(own));
  for (const { data, prefix } of places) {
    const parent = join(data, 'kernels');
    for (const name of (await readdir(parent).catch(() => [])).sort()) {
      const spec = await readSpec(name.toLowerCase(), join(parent, name), prefix);
      if (spec && !found.has(spec.name)) found.set(spec.name, spec);
    }
  }
  return [...found.values()];
}

function pythonSpec(python: NonNullable<ReturnType<NonNullable<SpecPlaces['python']>>>): InstalledSpec {
  const { executable, prefix, basePrefix, version, home = null } = python;
  return {
    name: 'python3',
    displayName: `Python ${version.split('.').slice(0, 2).join('.')}`,
    language: 'python',
    interruptMode: 'signal',
    argv: [executable, '-m', 'ipykernel_launcher', '-f', '{connection_file}'],
    environment: {},
    folder: join(prefix, 'share/jupyter/kernels/python3'),
    prefix,
    // A virtual environment needs the interpreter it was created from.
    readable: [prefix, basePrefix],
    home,
  };
}

async function readSpec(name: string, folder: string, prefix: string | null): Promise<InstalledSpec | null> {
  const text = await readFile(join(folder, 'kernel.json'), 'utf8').catch(() => null);
  if (text === null || !/^[a-z0-9._-]+$/.test(name)) return null;
  try {
    const spec = JSON.parse(text);
    if (!Array.isArray(spec.argv) || spec.argv.length === 0) return null;
    return {
      name,
      displayName: String(spec.display_name ?? name),
      language: String(spec.language ?? ''),
      interruptMode: spec.interrupt_mode === 'message' ? 'message' : 'signal',
      argv: spec.argv.map(String),
      environment: Object.fromEntries(Object.entries(spec.env ?? {}).map(([key, value]) => [key, String(value)])),
      folder,
      prefix,
      readable: [folder, ...(prefix ? [prefix] : [])],
    };
  } catch {
    // One broken kernel.json must not hide the others.
    return null;
  }
}

/** Whether the sandbox can see its program. */
export async function isStartable(spec: InstalledSpec): Promise<boolean> {
  if (spec.readable.some(isTooWide)) return false;
  // Its folder does not count: a kernel.json may be anywhere, and name a program beside it.
  const visible = ['/usr', '/bin', ...(spec.prefix ? spec.readable.filter((path) => path !== spec.folder) : [])];
  const program = spec.argv[0] ?? '';
  const candidates = isAbsolute(program) ? [program] : pathOf(spec).map((folder) => join(folder, program));
  for (const candidate of candidates) {
    const isVisible = visible.some((folder) => candidate.startsWith(`${folder}/`));
    if (
      isVisible &&
      (await access(candidate).then(
        () => true,
        () => false,
      ))
    )
      return true;
  }
  return false;
}

/** A prefix such as `/` or a home folder would reveal the host to users' code. */
const isTooWide = (path: string) =>
  path !== '/usr' && (path.split('/').filter(Boolean).length < 2 || `${homedir()}/`.startsWith(`${path}/`));

export const pathOf = (spec: InstalledSpec): string[] => [
  ...(spec.prefix ? [join(spec.prefix, 'bin')] : []),
  '/usr/local/bin',
  '/usr/bin',
  '/bin',
];
