import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

type Cbor = number | string | Buffer | Map<Cbor, Cbor>;

/** The little of CBOR that WebAuthn's messages need. */
function cbor(value: Cbor): Buffer {
  const head = (major: number, size: number) =>
    size < 24
      ? Buffer.from([(major << 5) | size])
      : size < 256
        ? Buffer.from([(major << 5) | 24, size])
        : Buffer.from([(major << 5) | 25, size >> 8, size & 255]);
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, entry]) => [cbor(key), cbor(entry)])]);
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const encode = (data: string | Buffer) => Buffer.from(data).toString('base64url');

interface Page {
  origin?: string;
  rpId?: string;
}

/** A security key in software: one resident ES256 credential that counts its uses, as a browser would present it. */
export function createAuthenticator() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const coordinate = (part: string) => Buffer.from(part, 'base64url');
  // COSE: key type EC2, algorithm ES256, curve P-256, then the point.
  const coseKey = new Map<Cbor, Cbor>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, coordinate(x)],
    [-3, coordinate(y)],
  ]);
  const id = randomBytes(32);
  let userHandle = '';

  const device = {
    counter: 0,

    create(options: { challenge: string; user: { id: string } }, page: Page = {}) {
      userHandle = options.user.id;
      const authData = Buffer.concat([
        head(page, 0x45, device.counter),
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        cbor(coseKey),
      ]);
      const attestation = new Map<Cbor, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]);
      return credential({
        clientDataJSON: clientData('webauthn.create', options.challenge, page),
        attestationObject: encode(cbor(attestation)),
        transports: ['internal', 'made-up'],
      });
    },

    get(options: { challenge: string }, page: Page = {}) {
      device.counter += 1;
      const clientDataJSON = clientData('webauthn.get', options.challenge, page);
      const authData = head(page, 0x05, device.counter);
      const signed = Buffer.concat([authData, sha256(Buffer.from(clientDataJSON, 'base64url'))]);
      return credential({
        clientDataJSON,
        authenticatorData: encode(authData),
        signature: encode(createSign('sha256').update(signed).sign(privateKey)),
        userHandle,
      });
    },
  };

  /** Flags: person present and verified, and on creation that a key follows. */
  function head(page: Page, flags: number, counter: number): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(page.rpId ?? 'localhost'), Buffer.from([flags]), count]);
  }

  const clientData = (type: string, challenge: string, page: Page) =>
    encode(JSON.stringify({ type, challenge, origin: page.origin ?? 'http://localhost:4000', crossOrigin: false }));

  const credential = <Response>(response: Response) => ({
    id: encode(id),
    rawId: encode(id),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  });

  return device;
}
