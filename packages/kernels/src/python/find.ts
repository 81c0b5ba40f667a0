import { homedir } from 'node:os';
import { join } from 'node:path';
import { moduleOf, packagesForEverybody } from './packages.ts';
import { type ProcessUser, runQuietly } from './run.ts';

/** A Python's description of itself. */
export interface Python {
  executable: string;
  /** The interpreter itself, when this is a virtual environment's. */
  base: string;
  prefix: string;
  basePrefix: string;
  version: string;
  has: { ipykernel: boolean; venv: boolean; ensurepip: boolean; pip: boolean };
  /** The packages for everyone that it does not have. */
  lacks: string[];
  /** The initial content of a kernel's home; null where there is none. */
  home?: string | null;
}

export interface FindOptions {
  /** Tried first, and wins if it has ipykernel. */
  configured?: string | undefined;
  /** In the format of PATH. */
  path?: string | undefined;
  /** The user who will run it: a Python that only the server can reach has no use. */
  user?: ProcessUser;
  /** Searched after PATH. */
  places?: string[] | undefined;
  /** The packages that it should have. */
  packages?: string[];
}

const commonPlaces = [
  '/usr/local/bin',
  '/usr/bin',
  '/opt/conda/bin',
  '/opt/homebrew/bin',
  join(homedir(), 'miniconda3/bin'),
  join(homedir(), 'anaconda3/bin'),
];
const oldest = 9;

// Isolated, because files in the current folder or the server's home must not affect it.
const question = `import importlib.util, json, os, sys
is_there = lambda name: importlib.util.find_spec(name) is not None
has = {name: is_there(name) for name in ("ipykernel", "venv", "ensurepip", "pip")}
lacks = [name for name, module in (each.split("=") for each in sys.argv[1:]) if not is_there(module)]
base = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
print(json.dumps({"executable": sys.executable, "base": base, "prefix": sys.prefix, "basePrefix": sys.base_prefix,
                  "version": "%d.%d.%d" % sys.version_info[:3], "has": has, "lacks": lacks}))`;

export async function askPython(
  program: string,
  user: ProcessUser = null,
  packages = packagesForEverybody,
): Promise<Python | null> {
  const parameters = ['-I', '-c', question, ...packages.map((name) => `${name}=${moduleOf(name)}`)];
  const { code, output } = await runQuietly(program, parameters, { user, timeout: 20_000 });
  if (code !== 0) return null;
  try {
    const python = JSON.parse(output) as Python;
    const [major, minor] = python.version.split('.').map(Number);
    return major === 3 && (minor ?? 0) >= oldest ? python : null;
  } catch {
    return null;
  }
}

/** All working Pythons: complete ones first, then those that can run code at all, else in the order of the places. */
export async function findPythons(options: FindOptions): Promise<Python[]> {
  const { configured, path = '', user = null, places = commonPlaces, packages = packagesForEverybody } = options;
  const folders = [...path.split(':').filter((folder) => folder.startsWith('/')), ...places];
  const programs = folders.flatMap((folder) => [join(folder, 'python3'), join(folder, 'python')]);
  const found = new Map<string, Python>();
  for (const program of new Set([...(configured ? [configured] : []), ...programs])) {
    const python = await askPython(program, user, packages);
    if (!python) continue;
    if (!found.has(python.executable)) found.set(python.executable, python);
    // A configured Python wins, even without some packages.
    const isChosen = program === configured && python.has.ipykernel;
    if (isChosen) return [{ ...python, lacks: [] }];
    if (python.lacks.length === 0) break;
  }
  const rank = ({ has, lacks }: Python) => Number(has.ipykernel) + Number(lacks.length === 0);
  return [...found.values()].sort((one, other) => rank(other) - rank(one));
}
