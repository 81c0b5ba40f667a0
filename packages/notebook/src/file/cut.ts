/** A range of bytes in a file: its first byte, and the one after its last. */
export interface Place {
  from: number;
  to: number;
}

export interface CutNotebook {
  /** The file without the outputs of its cells. */
  text: string;
  /** By the index of the cell; short outputs stay in the text. */
  outputs: Map<number, Place>;
}

/** Shorter outputs stay in the text. */
const shortest = 256;

/**
 * A notebook's file without its outputs, which are most of a large one: the rest can be read in a small part of the memory.
 * Null for a file that is not of format 4 in its usual form, which is read as a whole then.
 */
export function cutNotebook(bytes: Uint8Array, replacement: (cell: number) => string): CutNotebook | null {
  const found = placesIn(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (!found) return null;
  const outputs = new Map([...found].filter(([, { from, to }]) => to - from > shortest));
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const parts: string[] = [];
  let at = 0;
  for (const [cell, { from, to }] of outputs) {
    parts.push(decoder.decode(bytes.subarray(at, from)), replacement(cell));
    at = to;
  }
  parts.push(decoder.decode(bytes.subarray(at)));
  return { text: parts.join(''), outputs };
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openList, closeList, openFields, closeFields] = [0x5b, 0x5d, 0x7b, 0x7d];

class Unusual extends Error {
  override readonly message = 'What a cell shows is not written as it should be.';
}

/** The outputs of each cell, in the order of the file. */
function placesIn(bytes: Buffer): Map<number, Place> | null {
  const scan = new Scan(bytes);
  let found: Map<number, Place> | null = null;
  let format: string | null = null;
  try {
    scan.at = bytes[0] === 0xef ? 3 : 0;
    scan.fields((name) => {
      if (name === 'nbformat') {
        format = scan.said(scan.value());
      } else if (name === 'cells') {
        // The last value counts for a repeated name.
        if (found) throw new Unusual();
        found = cellsOf(scan);
      } else scan.value();
    });
    scan.end();
  } catch (error) {
    if (error instanceof Unusual) return null;
    throw error;
  }
  return format === '4' ? found : null;
}

function cellsOf(scan: Scan): Map<number, Place> {
  const found = new Map<number, Place>();
  let cell = 0;
  scan.list(() => {
    if (scan.next() !== openFields) scan.value();
    else {
      let outputs: Place | null = null;
      let isCode = false;
      scan.fields((name) => {
        const isList = scan.next() === openList;
        const place = scan.value();
        if (name === 'cell_type') isCode = scan.said(place) === '"code"';
        if (name !== 'outputs') return;
        if (outputs) throw new Unusual();
        if (isList) outputs = place;
      });
      // A cell of an unknown type keeps all its fields unchanged.
      if (outputs && isCode) found.set(cell, outputs);
    }
    cell += 1;
  });
  return found;
}

/** Finds the ranges of the values of a list without parsing them. */
export function* placesInList(bytes: Uint8Array): Generator<Place> {
  const scan = new Scan(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  scan.must(openList);
  if (scan.next() === closeList) return;
  for (;;) {
    yield scan.value();
    if (scan.next() === closeList) return;
    scan.must(comma);
  }
}

/** Scans JSON without parsing it. Errors within a value are reported by its later reader. */
class Scan {
  at = 0;
  private readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** Skips spaces and returns the next byte. */
  next(): number {
    let byte = this.bytes[this.at];
    while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) {
      this.at += 1;
      byte = this.bytes[this.at];
    }
    return byte ?? -1;
  }

  must(byte: number): void {
    if (this.next() !== byte) throw new Unusual();
    this.at += 1;
  }

  end(): void {
    if (this.next() !== -1) throw new Unusual();
  }

  said({ from, to }: Place): string {
    return this.bytes.toString('latin1', from, to);
  }

  fields(each: (name: string) => void): void {
    this.must(openFields);
    if (this.next() !== closeFields) {
      for (;;) {
        if (this.next() !== quote) throw new Unusual();
        const name = this.said(this.value()).slice(1, -1);
        if (name.includes('\\')) throw new Unusual();
        this.must(colon);
        each(name);
        if (this.next() === closeFields) break;
        this.must(comma);
      }
    }
    this.at += 1;
  }

  list(each: () => void): void {
    this.must(openList);
    if (this.next() !== closeList) {
      for (;;) {
        each();
        if (this.next() === closeList) break;
        this.must(comma);
      }
    }
    this.at += 1;
  }

  value(): Place {
    const first = this.next();
    const from = this.at;
    if (first === quote) this.text();
    else if (first === openList || first === openFields) this.nested();
    else this.word();
    return { from, to: this.at };
  }

  private text(): void {
    let at = this.at + 1;
    for (;;) {
      const end = this.bytes.indexOf(quote, at);
      if (end < 0) throw new Unusual();
      let slashes = 0;
      while (this.bytes[end - 1 - slashes] === backslash) slashes += 1;
      at = end + 1;
      if (slashes % 2 === 0) break;
    }
    this.at = at;
  }

  private nested(): void {
    let depth = 0;
    do {
      const byte = this.bytes[this.at];
      if (byte === undefined) throw new Unusual();
      if (byte === quote) {
        this.text();
        continue;
      }
      if (byte === openList || byte === openFields) depth += 1;
      else if (byte === closeList || byte === closeFields) depth -= 1;
      this.at += 1;
    } while (depth > 0);
  }

  private word(): void {
    const from = this.at;
    for (;;) {
      const byte = this.bytes[this.at];
      if (byte === undefined || byte === comma || byte === closeList || byte === closeFields || byte <= 0x20) break;
      this.at += 1;
    }
    if (this.at === from) throw new Unusual();
  }
}
