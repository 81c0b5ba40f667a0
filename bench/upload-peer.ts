import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** The least that takes an upload: to disk, safely, with its SHA-256. */
const folder = process.argv[2] ?? '';
const server = createServer(async (request, response) => {
  const hash = createHash('sha256');
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(request, measure, createWriteStream(join(folder, 'bare'), { flush: true }));
  response.end(hash.digest('hex'));
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
