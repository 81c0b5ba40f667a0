import type { NewUpload } from './uploads.ts';

/** Everything dropped, folders with all that is in them. Must be called while the drop is being handled. */
export async function droppedFiles(transfer: DataTransfer): Promise<NewUpload[]> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (!entries.length) return [...transfer.files].map((content) => ({ name: content.name, content }));
  return (await Promise.all(entries.map((entry) => filesOf(entry, '')))).flat();
}

async function filesOf(entry: FileSystemEntry, above: string): Promise<NewUpload[]> {
  const name = above + entry.name;
  if (entry.isFile) {
    const content = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [{ name, content }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: NewUpload[] = [];
  // A folder is read in parts until one is empty.
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (!part.length) return found;
    for (const child of part) found.push(...(await filesOf(child, `${name}/`)));
  }
}
