import { isNoise } from '@atoll/contract/files/paths';
import type { NewUpload } from './uploads.ts';

/** Returns the dropped folder, if it is the only dropped entry. Must be called while the drop is being handled. */
export function droppedFolder(transfer: DataTransfer): FileSystemEntry | null {
  const [first, ...others] = entriesOf(transfer);
  return first?.isDirectory && !others.length ? first : null;
}

/** Returns all dropped files, with those in folders. Must be called while the drop is being handled. */
export async function droppedFiles(transfer: DataTransfer): Promise<NewUpload[]> {
  const entries = entriesOf(transfer);
  if (!entries.length) return [...transfer.files].map((content) => ({ name: content.name, content }));
  return (await Promise.all(entries.map((entry) => filesOf(entry)))).flat();
}

const entriesOf = (transfer: DataTransfer) => [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);

/** Returns a file, or the files in a folder, with paths that begin with its name. */
export async function filesOf(entry: FileSystemEntry, above = ''): Promise<NewUpload[]> {
  const name = above + entry.name;
  if (isNoise(name)) return [];
  if (entry.isFile) {
    const content = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [{ name, content }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: NewUpload[] = [];
  // The browser returns a folder in parts until one is empty.
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (!part.length) return found;
    for (const child of part) found.push(...(await filesOf(child, `${name}/`)));
  }
}
