import { join } from 'node:path';
import { existingEnvironment } from './environment.ts';
import { askPython, findPythons, type Python } from './find.ts';
import { packagesForEverybody } from './packages.ts';

/** The Python that kernels get, for what is no kernel; none is made for it. */
export async function existingPython(options: {
  dataFolder: string;
  configured: string | null | undefined;
  path: string | undefined;
}): Promise<Python | null> {
  const { dataFolder, configured, path } = options;
  // Whoever names one wants that one: results depend on its version.
  if (configured) return askPython(configured);
  const made = await existingEnvironment(join(dataFolder, 'python'), packagesForEverybody);
  const [found] = made ? [made.python] : await findPythons({ path });
  return found ?? null;
}
