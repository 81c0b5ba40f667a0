import { createHmac, createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * The layout of a message: version, sender, time, number, signature, text. The signature covers everything else and the
 * subject.
 */
const version = 1;
const senderAt = 1;
const timeAt = 17;
const numberAt = 23;
const signatureAt = 29;
const textAt = 61;

/** The largest difference between the clocks of servers, delays of messages included. */
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

/** Signs the messages of one process. */
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
 * Verifies the messages of one subscription. The bus keeps each sender's order and stores no message, so a message that
 * comes out of order, or is older than the subscription, has been recorded and sent again.
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
    // Keep entries twice as long, because messages of a sender whose clock is ahead stay valid for longer.
    if (!last) forget(at - 2 * windowMs);
    heard.set(sender, { number, at });
    return { text: message.toString('utf8', textAt) };
  };
}
