import type { Directory, ProjectFile } from '@atoll/contract/files/entity';
import { baseName, parentOf } from '@atoll/contract/files/paths';

export interface TreeRow {
  path: string;
  name: string;
  depth: number;
  /** Null for a folder. */
  file: ProjectFile | null;
  isOpen: boolean;
}

export interface Tree {
  files: ProjectFile[];
  directories: Directory[];
}

type Node = Omit<TreeRow, 'depth' | 'isOpen'>;

const names = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
const foldersFirst = (one: Node, other: Node) =>
  Number(one.file !== null) - Number(other.file !== null) || names.compare(one.name, other.name);

/** Returns the lines to draw, folders before files, only below open folders. */
export function treeRows(tree: Tree, isOpen: (path: string) => boolean): TreeRow[] {
  const children = new Map<string, Node[]>();
  const put = (node: Node) => {
    const parent = parentOf(node.path);
    const siblings = children.get(parent);
    if (siblings) siblings.push(node);
    else children.set(parent, [node]);
  };
  for (const path of allFolders(tree)) put({ path, name: baseName(path), file: null });
  for (const file of tree.files) put({ path: file.path, name: file.name, file });

  const rows: TreeRow[] = [];
  const walk = (parent: string, depth: number) => {
    for (const node of (children.get(parent) ?? []).sort(foldersFirst)) {
      const open = node.file === null && isOpen(node.path);
      rows.push({ ...node, depth, isOpen: open });
      if (open) walk(node.path, depth + 1);
    }
  };
  walk('', 0);
  return rows;
}

/** Returns created folders, and those in the paths of files. */
function allFolders({ files, directories }: Tree): Set<string> {
  const folders = new Set(directories.map(({ path }) => path));
  for (const { path } of files) {
    for (let folder = parentOf(path); folder && !folders.has(folder); folder = parentOf(folder)) folders.add(folder);
  }
  return folders;
}

/** Removes entries inside of other selected ones, because acting on the folder is enough. */
export const outermost = (paths: string[]): string[] =>
  paths.filter((path) => !paths.some((other) => other !== path && path.startsWith(`${other}/`)));

export const isTaken = ({ files, directories }: Tree, path: string): boolean =>
  files.some((file) => file.path === path) || directories.some((folder) => folder.path === path);

/** Moves everything at or below a path, as the server will. */
export function withMoved(tree: Tree, from: string, to: string): Tree {
  const moved = (path: string) => (path === from || path.startsWith(`${from}/`) ? to + path.slice(from.length) : path);
  const rename = <Entry extends { path: string; name: string }>(entry: Entry): Entry => {
    const path = moved(entry.path);
    return path === entry.path ? entry : { ...entry, path, name: baseName(path) };
  };
  return { files: tree.files.map(rename), directories: tree.directories.map(rename) };
}

export function without(tree: Tree, paths: string[]): Tree {
  const isGone = ({ path }: { path: string }) => paths.some((gone) => path === gone || path.startsWith(`${gone}/`));
  return {
    files: tree.files.filter((file) => !isGone(file)),
    directories: tree.directories.filter((folder) => !isGone(folder)),
  };
}
