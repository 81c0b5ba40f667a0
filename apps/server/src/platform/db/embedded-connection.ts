import { Duplex } from 'node:stream';
import type { PGlite } from '@electric-sql/pglite';

const terminate = 'X'.charCodeAt(0);
/** How long one statement may follow another before whatever else the process has to do gets a turn. */
const turnMs = 5;

/**
 * What node-postgres takes for its socket, with a database in this process behind it: whatever is sent together is
 * answered in one go, and statements are parsed once, which its own way of asking cannot.
 */
export class EmbeddedConnection extends Duplex {
  readonly #database: PGlite;
  #turnedAt = 0;

  constructor(database: PGlite) {
    super();
    this.#database = database;
  }

  connect(): this {
    process.nextTick(() => this.emit('connect'));
    return this;
  }
  setNoDelay = (): this => this;
  setKeepAlive = (): this => this;
  ref = (): this => this;
  unref = (): this => this;

  override _read(): void {}

  override _write(asked: Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.#answer(asked).then(() => done(), done);
  }

  async #answer(asked: Buffer): Promise<void> {
    // Only this connection ends; the database would take it for its own end.
    if (asked[0] === terminate || asked.length === 0) return;
    await this.#yieldSometimes();
    const answer: Uint8Array[] = [];
    // Not `execProtocolRaw`: that reads every answer itself, too, and keeps it for ever. The bytes are the database's own.
    const onRawData = (bytes: Uint8Array) => void answer.push(bytes.slice());
    await this.#database.execProtocolRawStream(asked, { onRawData });
    this.push(Buffer.concat(answer));
  }

  /** The database answers without the event loop: work that only asks it, such as jobs, would keep requests from being read. */
  async #yieldSometimes(): Promise<void> {
    if (performance.now() - this.#turnedAt < turnMs) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#turnedAt = performance.now();
  }

  override _writev(parts: { chunk: Buffer }[], done: (error?: Error) => void): void {
    const asked = parts.flatMap(({ chunk }) => (chunk[0] === terminate ? [] : chunk));
    this._write(Buffer.concat(asked), 'buffer', done);
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }
}
