import { join } from 'node:path';
import { existingEnvironment } from './environment.ts';
import { askPython, findPythons, type Python } from './find.ts';
import { packagesForEverybody } from './packages.ts';

/** The Python of the kernels, for programs that are no kernel; does not make one. */
export async function existingPython(options: {
  dataFolder: string;
  configured: string | null | undefined;
  path: string | undefined;
}): Promise<Python | null> {
  const { dataFolder, configured, path } = options;
  // A configured Python is final, because results depend on its version.
  if (configured) return askPython(configured);
  const made = await existingEnvironment(join(dataFolder, 'python'), packagesForEverybody);
  const [found] = made ? [made.python] : await findPythons({ path });
  return found ?? null;
}
