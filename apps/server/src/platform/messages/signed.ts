import { createHmac, createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * A message as it travels: version, sender, time, number, signature, then its text. All but the signature is signed, and so
 * is the subject.
 */
const version = 1;
const senderAt = 1;
const timeAt = 17;
const numberAt = 23;
const signatureAt = 29;
const textAt = 61;

/** How far the clocks of servers may be apart, and how late a message may come. */
const windowMs = 60_000;

export type SigningKey = KeyObject;
export const signingKey = (bytes: Uint8Array): SigningKey => createSecretKey(bytes);

function signatureOf(key: SigningKey, subject: string, message: Uint8Array): Buffer {
  return createHmac('sha256', key)
    .update(`${subject}\n`)
    .update(message.subarray(0, signatureAt))
    .update(message.subarray(textAt))
    .digest();
}

/** Signs what one process says. */
export function createSigner(key: SigningKey, now: () => number = Date.now) {
  const sender = randomBytes(timeAt - senderAt);
  let last = 0;
  return (subject: string, text: string): Uint8Array => {
    const size = Buffer.byteLength(text);
    const message = Buffer.allocUnsafe(textAt + size);
    last += 1;
    message[0] = version;
    message.set(sender, senderAt);
    message.writeUIntBE(now(), timeAt, numberAt - timeAt);
    message.writeUIntBE(last, numberAt, signatureAt - numberAt);
    message.write(text, textAt, size);
    message.set(signatureOf(key, subject, message), signatureAt);
    return message;
  };
}

export type Refusal = 'forged' | 'old' | 'repeated';
type Verdict = { text: string } | { refusal: Refusal };

/**
 * Checks what one subscription hears. The bus keeps what each sender says in order and keeps nothing for later: whatever
 * comes out of order, or was said before we listened, has been recorded and sent again.
 */
export function createVerifier(key: SigningKey, subject: string, now: () => number = Date.now) {
  const since = now();
  const heard = new Map<string, { number: number; at: number }>();

  function forget(before: number): void {
    for (const [sender, { at }] of heard) if (at < before) heard.delete(sender);
  }

  return (data: Uint8Array): Verdict => {
    if (data.length < textAt || data[0] !== version) return { refusal: 'forged' };
    const message = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    const signature = message.subarray(signatureAt, textAt);
    if (!timingSafeEqual(signatureOf(key, subject, message), signature)) return { refusal: 'forged' };
    const at = now();
    const time = message.readUIntBE(timeAt, numberAt - timeAt);
    if (time < since || Math.abs(at - time) > windowMs) return { refusal: 'old' };
    const sender = message.toString('latin1', senderAt, timeAt);
    const number = message.readUIntBE(numberAt, signatureAt - numberAt);
    const last = heard.get(sender);
    if (last && number <= last.number) return { refusal: 'repeated' };
    // One whose clock is ahead is believed for twice as long.
    if (!last) forget(at - 2 * windowMs);
    heard.set(sender, { number, at });
    return { text: message.toString('utf8', textAt) };
  };
}
