import { createRequire } from 'node:module';

type Argon2 = typeof import('@node-rs/argon2');
const argon2: Argon2 = createRequire(import.meta.url)('@node-rs/argon2');

/** @public Thousands of people sign up in the tests, and a hash is made to take long. Journeys make real ones. */
export const hash: Argon2['hash'] = (password) => argon2.hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });
export const { verify } = argon2;
