/** Python's own files of the project: copied to it, and back when they have changed. */

const PROJECT = '/home/user/project';
// Emscripten's numbers for these errors.
const [EFBIG, ENOSPC] = [22, 51];

// biome-ignore lint/suspicious/noExplicitAny: Pyodide's inner parts have no types
type Untyped = any;

export interface FileLimits {
  fileBytes: number;
  folderBytes: number;
}

export interface ProjectFiles {
  put(path: string, bytes: Uint8Array): void;
  remove(path: string): void;
  sendChanged(): void;
  limit(limits: FileLimits): void;
}

export function projectFiles(python: Untyped, send: (header: unknown, bytes?: Uint8Array) => void): ProjectFiles {
  /** The state of each path when both sides were equal. */
  const known = new Map<string, { size: number; modified: number }>();
  let scannedAt = 0;

  function put(path: string, bytes: Uint8Array): void {
    const whole = `${PROJECT}/${path}`;
    python.FS.mkdirTree(whole.slice(0, whole.lastIndexOf('/')));
    python.FS.writeFile(whole, bytes);
    const { size, mtime } = python.FS.stat(whole);
    known.set(path, { size, modified: +mtime });
  }

  function remove(path: string): void {
    known.delete(path);
    try {
      python.FS.unlink(`${PROJECT}/${path}`);
    } catch {
      // Python has created it first.
    }
  }

  function sendChanged(): void {
    const seen = new Set<string>();
    const startedAt = Date.now();
    const walk = (folder: string) => {
      for (const name of python.FS.readdir(`${PROJECT}/${folder}`) as string[]) {
        if (name === '.' || name === '..') continue;
        const path = `${folder}${name}`;
        const stat = python.FS.lstat(`${PROJECT}/${path}`);
        if (python.FS.isDir(stat.mode)) {
          send({ kind: 'folder', path });
          walk(`${path}/`);
        } else if (python.FS.isFile(stat.mode)) {
          seen.add(path);
          const before = known.get(path);
          const modified = +stat.mtime;
          // Written in the millisecond of the last look or later, so its times cannot show whether it has changed.
          if (before && before.size === stat.size && before.modified === modified && modified < scannedAt) continue;
          known.set(path, { size: stat.size, modified });
          send({ kind: 'file', path }, python.FS.readFile(`${PROJECT}/${path}`));
        }
      }
    };
    try {
      walk('');
    } catch {
      // The project folder itself was removed or replaced.
    }
    for (const path of known.keys()) {
      if (seen.has(path)) continue;
      known.delete(path);
      send({ kind: 'removed', path });
    }
    scannedAt = startedAt;
  }

  function limit({ fileBytes, folderBytes }: FileLimits): void {
    const memory = python.FS.filesystems.MEMFS;
    const operations = memory.ops_table.file.stream;
    const [write, resize] = [operations.write, memory.resizeFileStorage.bind(memory)];
    let grown = 0;
    const used = (path: string): number => {
      let sum = 0;
      for (const name of python.FS.readdir(path) as string[]) {
        if (name === '.' || name === '..') continue;
        const stat = python.FS.lstat(`${path}/${name}`);
        sum += python.FS.isDir(stat.mode) ? used(`${path}/${name}`) : stat.size;
      }
      return sum;
    };
    const check = (node: Untyped, size: number) => {
      if (size <= node.usedBytes) return;
      if (size > fileBytes) throw new python.FS.ErrnoError(EFBIG);
      grown += size - node.usedBytes;
      if (grown <= folderBytes) return;
      grown = used('/home') + used('/tmp') + size - node.usedBytes;
      if (grown > folderBytes) throw new python.FS.ErrnoError(ENOSPC);
    };
    operations.write = (
      stream: Untyped,
      buffer: Untyped,
      offset: number,
      length: number,
      position: number,
      ...rest: Untyped[]
    ) => {
      check(stream.node, position + length);
      return write(stream, buffer, offset, length, position, ...rest);
    };
    memory.resizeFileStorage = (node: Untyped, size: number) => {
      check(node, size);
      return resize(node, size);
    };
  }

  python.FS.mkdirTree(PROJECT);
  return { put, remove, sendChanged, limit };
}
