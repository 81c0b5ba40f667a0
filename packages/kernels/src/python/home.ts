import { createHash } from 'node:crypto';
import { access, chown, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Python } from './find.ts';
import { type ProcessUser, runQuietly } from './run.ts';

/** Libraries would compute it in each new home: Matplotlib its list of fonts, which takes many seconds. */
const warmUp = 'import matplotlib.font_manager';

export interface HomeOptions {
  /** The folder for a Python that we cannot write to. */
  folder: string;
  user?: ProcessUser;
  signal?: AbortSignal | undefined;
}

export const ownHome = (prefix: string): string => join(prefix, 'share/atoll/home');

/**
 * The initial content of a kernel's home, made once for each Python. Each kernel gets a copy, because Matplotlib does not
 * read from a folder that it cannot write to.
 */
export async function homeFor(python: Python, options: HomeOptions): Promise<string | null> {
  const own = ownHome(python.prefix);
  if (await isThere(own)) return own;
  const name = createHash('sha256').update(`${python.executable} ${python.version}`).digest('hex').slice(0, 16);
  return makeHome(python.executable, join(options.folder, `home-${name}`), options);
}

/** Null where there is no initial content. */
export async function makeHome(
  executable: string,
  place: string,
  { user = null, signal }: Omit<HomeOptions, 'folder'>,
): Promise<string | null> {
  if (await isThere(place)) return place;
  await mkdir(dirname(place), { recursive: true });
  const temporary = await mkdtemp(`${place}-new-`);
  try {
    if (user) await chown(temporary, user.uid, user.gid);
    const environment = { HOME: temporary, XDG_CACHE_HOME: join(temporary, '.cache') };
    const { code } = await runQuietly(executable, ['-I', '-c', warmUp], {
      user,
      environment,
      signal,
      timeout: 300_000,
    });
    if (code !== 0) return null;
    await rename(temporary, place);
    return place;
  } catch {
    return null;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

const isThere = (place: string) =>
  access(place).then(
    () => true,
    () => false,
  );
