/** Rules for names and paths in a project: pure, and the same on both sides. */

export const maxNameLength = 200;
export const maxPathLength = 1_000;
export const maxDepth = 20;

/** Names some systems cannot store, so a project with one could not be downloaded there. */
const reserved = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/i;
const invisible = /[\p{Cc}\p{Cs}\u061C\u200B\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/u;

/** Why a name cannot be used, or null. */
export function nameProblem(name: string): string | null {
  if (name.length === 0) return 'Must not be empty';
  if (name.length > maxNameLength) return `Must have at most ${maxNameLength} characters`;
  if (name === '.' || name === '..') return 'Must not be a dot or two';
  if (/[/\\]/.test(name)) return 'Must not contain slashes';
  if (invisible.test(name)) return 'Must not contain control characters';
  if (/[<>:"|?*]/.test(name)) return 'Must not contain any of < > : " | ? *';
  if (/^\s|[\s.]$/.test(name)) return 'Must not begin with a space or end with a space or a dot';
  if (reserved.test(name)) return 'Is a name that some systems reserve';
  return null;
}

/** Paths are written without a slash at either end; the root is the empty path. */
export const cleanPath = (path: string): string => path.normalize('NFC').replace(/^\/+|\/+$/g, '');

/** Why a cleaned path cannot be used, or null. */
export function pathProblem(path: string): string | null {
  if (path === '') return null;
  if (path.length > maxPathLength) return `Must have at most ${maxPathLength} characters`;
  const names = path.split('/');
  if (names.length > maxDepth) return `Must not be more than ${maxDepth} folders deep`;
  for (const name of names) {
    const problem = nameProblem(name);
    if (problem) return problem;
  }
  return null;
}

export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
export const joinPath = (directory: string, name: string): string => (directory ? `${directory}/${name}` : name);

/** Two names that differ by case only would overwrite each other on many disks. */
export const collisionKey = (path: string): string => path.normalize('NFC').toLowerCase().normalize('NFC');

/** Folders and files that tools create and that do not belong in a project. */
export const isNoise = (path: string): boolean =>
  /(^|\/)(__MACOSX|\.git|\.ipynb_checkpoints|__pycache__|node_modules)(\/|$)|(^|\/)\.DS_Store$/.test(path);

export const isInside = (path: string, directory: string): boolean =>
  directory === '' || path.startsWith(`${directory}/`);

/** `report.csv` → `report copy.csv`, `report copy 2.csv`, …: the first that is free. */
export function copyName(name: string, isTaken: (candidate: string) => boolean): string {
  const dot = name.lastIndexOf('.');
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  for (let count = 1; ; count++) {
    const candidate = `${stem} copy${count === 1 ? '' : ` ${count}`}${extension}`;
    if (!isTaken(candidate)) return candidate;
  }
}
