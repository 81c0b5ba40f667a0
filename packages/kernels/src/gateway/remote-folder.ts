import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { KernelLimits, StartOptions } from '../port.ts';
import { filesCode } from '../python/helper.ts';

/** Runs the code without publishing its messages; returns the value of the expression, a text in base64. */
export type AskKernel = (code: string, expression?: string) => Promise<Buffer>;

/** While code runs, a file this new may be incomplete; the same on this machine. */
const freshSeconds = 0.5;

const pieceBytes = 1024 ** 2;
/** Each file is a request of its own, so code that creates a million must not delay everyone. */
const mostFiles = 2_000;
const environment = `__import__('os').environ`;
const module = `__import__('atoll_files')`;
/** A Python literal: Python accepts JSON's escapes. */
const literal = (text: string) => JSON.stringify(text);

/**
 * Keeps the folder on this machine and that of a remote Python kernel equal through the kernel itself: it is the only way
 * that works with a Jupyter Server, a Kernel Gateway and an Enterprise Gateway.
 */
export class RemoteFolder {
  readonly #folder: string;
  readonly #limits: KernelLimits;
  readonly #environment: Record<string, string>;
  readonly #ask: AskKernel;
  /** The states of the files when both sides were equal. */
  #known = new Map<string, string>();
  /** For the running execution: a growing file is not reported or counted again at each fetch. */
  readonly #shownNotices = new Set<string>();
  readonly #fetched = new Map<string, number>();
  #isMade = false;

  constructor({ folder, limits, environment }: StartOptions, ask: AskKernel) {
    this.#folder = folder;
    this.#limits = limits;
    this.#environment = environment;
    this.#ask = ask;
  }

  /** The remote kernel is a new one with an empty folder. */
  forget(): void {
    this.#isMade = false;
    this.#known.clear();
  }

  async bring(): Promise<void> {
    // A plain Jupyter Server does not pass the environment on to its kernels.
    if (!this.#isMade) await this.#ask(`${filesCode}\n${environment}.update(${JSON.stringify(this.#environment)})`);
    this.#isMade = true;
    this.#shownNotices.clear();
    this.#fetched.clear();
    const here = await statesIn(this.#folder);
    for (const [path, state] of here) {
      if (this.#known.get(path) === state) continue;
      if (state === 'folder') await this.#ask(`${module}.folder(${literal(path)})`);
      else await this.#send(path);
    }
    for (const path of this.#known.keys()) if (!here.has(path)) await this.#ask(`${module}.remove(${literal(path)})`);
    this.#known = here;
  }

  /** Returns notices for the user. While code runs, `beside` makes the requests in another way. */
  async fetch(beside?: AskKernel): Promise<string[]> {
    const ask = beside ?? this.#ask;
    const found = await ask('', `${module}.changes(${beside ? freshSeconds : 0})`);
    const { changed, gone } = JSON.parse(found.toString()) as { changed: Changed[]; gone: string[] };
    const notices: string[] = [];
    if (changed.length > mostFiles)
      notices.push(`Of ${changed.length} new files ${mostFiles} were fetched; the others stay where the kernel is.`);
    for (const each of changed.slice(0, mostFiles)) {
      const [path, size] = each;
      if (!isInside(path)) continue;
      let bytes = size;
      for (const [other, known] of this.#fetched) if (other !== path) bytes += known;
      if (size > this.#limits.fileBytes || bytes > this.#limits.folderBytes) {
        notices.push(`${path} is too large and stays where the kernel is.`);
        continue;
      }
      this.#fetched.set(path, size);
      const isThere = await this.#receive(each, ask).then(
        () => true,
        () => false,
      );
      // While code runs the file may be deleted again; a missing one is fetched with the next look.
      if (!isThere && !beside) notices.push(`${path} could not be fetched.`);
    }
    for (const path of gone.filter(isInside)) {
      await rm(join(this.#folder, path), { force: true });
      this.#known.delete(path);
    }
    const news = notices.filter((notice) => !this.#shownNotices.has(notice));
    for (const notice of news) this.#shownNotices.add(notice);
    return news;
  }

  async #send(path: string): Promise<void> {
    let goesOn = false;
    const write = async (piece: Buffer) => {
      await this.#ask(`${module}.write(${literal(path)}, '${piece.toString('base64')}', ${goesOn ? 'True' : 'False'})`);
      goesOn = true;
    };
    for await (const piece of createReadStream(join(this.#folder, path), { highWaterMark: pieceBytes }))
      await write(piece);
    if (!goesOn) await write(Buffer.alloc(0));
  }

  /**
   * Receives the file up to its size at the look. Write it outside of the folder first, so that no reader sees half a file.
   */
  async #receive([path, size, modified]: Changed, ask: AskKernel): Promise<void> {
    const incoming = `${this.#folder}.${randomUUID()}`;
    const file = await open(incoming, 'wx', 0o600);
    try {
      for (let at = 0, isLast = false; !isLast; at += pieceBytes) {
        isLast = at + pieceBytes >= size;
        const length = Math.min(pieceBytes, size - at);
        const state = isLast ? `(${size}, ${literal(modified)})` : 'None';
        await file.write(await ask('', `${module}.read(${literal(path)}, ${at}, ${length}, ${state})`));
      }
    } catch (error) {
      await rm(incoming);
      throw error;
    } finally {
      await file.close();
    }
    const place = join(this.#folder, path);
    await mkdir(dirname(place), { recursive: true });
    await rename(incoming, place);
    this.#known.set(path, stateOf(await lstat(place)));
  }
}

type Changed = [path: string, size: number, modified: string];

/** Paths from a remote kernel are not trusted. */
const isInside = (path: string) =>
  path !== '' && !path.includes('\0') && path.split('/').every((part) => !['', '.', '..'].includes(part));

const stateOf = ({ size, mtimeMs }: { size: number; mtimeMs: number }) => `${size} ${mtimeMs}`;

/** The states of files and folders, without links. */
async function statesIn(folder: string): Promise<Map<string, string>> {
  const states = new Map<string, string>();
  const look = async (path: string) => {
    for (const entry of await readdir(join(folder, path), { withFileTypes: true })) {
      const each = path ? `${path}/${entry.name}` : entry.name;
      if (entry.isDirectory()) {
        states.set(each, 'folder');
        await look(each);
      } else if (entry.isFile()) states.set(each, stateOf(await lstat(join(folder, each))));
    }
  };
  await look('');
  return states;
}
