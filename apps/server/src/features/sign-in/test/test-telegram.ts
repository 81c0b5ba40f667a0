import { createHash, createHmac } from 'node:crypto';

export const botToken = '7342037359:AAHI21HZfkGjoq0wLGrRgPjwNBrxHGQ-test';

type Fields = Record<string, string>;

const checkText = (fields: Fields) =>
  Object.keys(fields)
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join('\n');

const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text);

/** What Telegram does to the data a mini-app is launched with. */
export function signInitData(fields: Fields, token = botToken): URLSearchParams {
  const hash = hmac(hmac('WebAppData', token).digest(), checkText(fields)).digest('hex');
  return new URLSearchParams({ ...fields, hash });
}

/** What Telegram does to the data of its Login Widget. */
export function signLoginData(fields: Fields, token = botToken): Fields {
  const secret = createHash('sha256').update(token).digest();
  return { ...fields, hash: hmac(secret, checkText(fields)).digest('hex') };
}
