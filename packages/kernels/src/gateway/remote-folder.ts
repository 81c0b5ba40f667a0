import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { KernelLimits, StartOptions } from '../port.ts';
import { filesCode } from '../python/helper.ts';

/** Runs it unheard; answers the value of the expression, a text in base64. */
export type AskKernel = (code: string, expression?: string) => Promise<Buffer>;

/** While code runs, what it has just written may be half a file; the same on this machine. */
const freshSeconds = 0.5;

const pieceBytes = 1024 ** 2;
/** Each is asked for by itself; code that makes a million must not keep everybody waiting. */
const mostFiles = 2_000;
const environment = `__import__('os').environ`;
const module = `__import__('atoll_files')`;
/** As Python reads it: what JSON escapes, Python takes the same way. */
const literal = (text: string) => JSON.stringify(text);

/**
 * The folder on this machine and the one of a Python kernel elsewhere, kept equal through the kernel itself: that is the
 * only way there is to all of a Jupyter Server, a Kernel Gateway and an Enterprise Gateway.
 */
export class RemoteFolder {
  readonly #folder: string;
  readonly #limits: KernelLimits;
  readonly #environment: Record<string, string>;
  readonly #ask: AskKernel;
  /** As they were when both sides were equal. */
  #known = new Map<string, string>();
  /** Of what runs: a file that grows is not told, or counted, again at each look. */
  readonly #shownNotices = new Set<string>();
  readonly #fetched = new Map<string, number>();
  #isMade = false;

  constructor({ folder, limits, environment }: StartOptions, ask: AskKernel) {
    this.#folder = folder;
    this.#limits = limits;
    this.#environment = environment;
    this.#ask = ask;
  }

  /** The kernel there is another one now, with an empty folder. */
  forget(): void {
    this.#isMade = false;
    this.#known.clear();
  }

  async bring(): Promise<void> {
    // A plain Jupyter Server gives a kernel none of the environment that it was to be started with.
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

  /** Answers what the user has to know. Beside code that runs it is asked another way. */
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
      // While code runs it may be gone again, and what is not is looked at again.
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

  /** As far as it went when it was looked at. Beside the folder first: whoever looks into it meanwhile must not see half a file. */
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

/** What a kernel elsewhere says is not to be believed. */
const isInside = (path: string) =>
  path !== '' && !path.includes('\0') && path.split('/').every((part) => !['', '.', '..'].includes(part));

const stateOf = ({ size, mtimeMs }: { size: number; mtimeMs: number }) => `${size} ${mtimeMs}`;

/** Files and folders, but no links. */
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
