import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type Frame, FramePipes } from './frames.ts';
import { Host, HostEnded, type HostEnding, noBytes } from './host.ts';

/** How a process ended, as a shell says it: 128 and the signal. */
const endings: Record<string, HostEnding> = {
  ...{ '137': 'time', '152': 'time', '155': 'time' },
  ...{ '126': 'start', '127': 'start' },
  ...{ '133': 'memory', '134': 'memory', '139': 'memory' },
};

/** One of those that `launchHosts` has made ready; its process begins when it is opened. */
export class PipeHost extends Host {
  readonly #fds: number[];
  readonly #pipes: FramePipes;
  #ending: HostEnding | null = null;

  constructor(folder: string, name: string) {
    super();
    const outgoing = openSync(join(folder, `${name}.to`), constants.O_WRONLY);
    const incoming = openSync(join(folder, `${name}.from`), constants.O_RDONLY);
    const over = openSync(join(folder, `${name}.end`), constants.O_WRONLY);
    this.#fds = [outgoing, incoming, over];
    this.#pipes = new FramePipes(incoming, outgoing);
    writeSync(outgoing, 'go\n');
  }

  exchange(message: object, payload: Uint8Array = noBytes): Frame {
    if (this.#ending) throw new HostEnded(this.#ending);
    let frame: Frame | null = null;
    try {
      this.#pipes.write(message, payload);
    } catch (error) {
      // How it ended is still to be read.
      if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
    }
    try {
      frame = this.#pipes.read();
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    const ended = frame?.message.ended;
    if (frame && ended === undefined) return frame;
    this.#ending = frame ? (endings[String(ended)] ?? 'end') : 'garbage';
    throw new HostEnded(this.#ending);
  }

  end(): void {
    this.#ending ??= 'end';
    const [outgoing, incoming, over] = this.#fds.splice(0) as [number?, number?, number?];
    if (outgoing === undefined || incoming === undefined || over === undefined) return;
    try {
      writeSync(over, 'over\n');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
    }
    // Until the last process that could write here is gone.
    const rest = Buffer.alloc(65_536);
    while (readSync(incoming, rest) > 0);
    for (const fd of [outgoing, incoming, over]) closeSync(fd);
  }
}
