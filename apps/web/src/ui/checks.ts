/** The rules of the contract that a form can tell before asking the server; the server's word stands above them. */
type Check = (value: string) => string | null;

export const required =
  (what: string): Check =>
  (value) =>
    value.trim() ? null : `${what} is needed`;

export const email: Check = (value) =>
  /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value.trim()) ? null : 'Must be an e-mail address, like name@example.com';

export const newPassword: Check = (value) =>
  value.length < 10
    ? 'Must have at least 10 characters'
    : value.length > 200
      ? 'Must have at most 200 characters'
      : null;

export const userName: Check = (value) =>
  /^[A-Za-z0-9_]{3,40}$/.test(value) ? null : '3 to 40 letters, digits or underscores';

export const webAddress: Check = (value) => {
  if (!value) return null;
  return /^https?:$/.test(URL.parse(value)?.protocol ?? '')
    ? null
    : 'Must be a web address starting with https:// or http://';
};

export const atMost =
  (length: number): Check =>
  (value) =>
    value.length > length ? `Must have at most ${length.toLocaleString('en')} characters` : null;
