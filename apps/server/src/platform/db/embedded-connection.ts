import { Duplex } from 'node:stream';
import type { PGlite } from '@electric-sql/pglite';

const terminate = 'X'.charCodeAt(0);
/** After so long, statements pause so that the process's other work gets a turn. */
const turnMs = 5;

/**
 * node-postgres uses it as its socket, with a database in this process behind it. Statements sent together are answered
 * together and are parsed once; PGlite's own query methods can do neither.
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
    // Only this connection ends; the database would shut itself down.
    if (asked[0] === terminate || asked.length === 0) return;
    await this.#yieldSometimes();
    const answer: Uint8Array[] = [];
    // Not `execProtocolRaw`: that also parses every answer and keeps it for ever. The buffer belongs to the database, so
    // copy the bytes.
    const onRawData = (bytes: Uint8Array) => void answer.push(bytes.slice());
    await this.#database.execProtocolRawStream(asked, { onRawData });
    this.push(Buffer.concat(answer));
  }

  /**
   * The database answers without the event loop, so work that only queries it, such as jobs, would keep requests from being
   * read.
   */
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
