import { newId } from '../../platform/db/columns.ts';
import { leastInput } from '../least-input.ts';
import { type Call, createSharedApp } from '../test-app.ts';

export const callers = [
  'anonymous',
  'badToken',
  'guest',
  'user',
  'stale',
  'impersonator',
  'admin',
  'readKey',
  'writeKey',
  'adminKey',
] as const;
export type Caller = (typeof callers)[number];

/** An app that is called as every kind of caller; who calls signs in again where a call has changed who it is. */
export async function startCallers() {
  const app = await createSharedApp();
  const admin = await app.admin();
  const key = async (token: string, scopes: string[]) =>
    (await app.call<{ key: string }>('POST', '/v1/me/api_keys', { token, body: { name: 'k', scopes } })).body.key;
  const owner = await app.person();
  const readKey = await key(owner.token, ['read']);
  const writeKey = await key(owner.token, ['read', 'write']);
  const adminKey = await key(admin.token, ['read', 'write']);
  const makeAdmin = async () => {
    const person = await app.person();
    await app.promote(person.id);
    return person.token;
  };
  const sign: Record<Caller, () => Promise<Pick<Call, 'token' | 'apiKey'>>> = {
    anonymous: async () => ({}),
    badToken: async () => ({ token: 'x'.repeat(43) }),
    guest: async () => ({ token: (await app.guest()).token }),
    user: async () => ({ token: (await app.person()).token }),
    stale: async () => ({ token: await app.staleToken() }),
    impersonator: async () => ({ token: await app.impersonatedToken() }),
    admin: async () => ({ token: await makeAdmin() }),
    readKey: async () => ({ apiKey: readKey }),
    writeKey: async () => ({ apiKey: writeKey }),
    adminKey: async () => ({ apiKey: adminKey }),
  };
  const signedIn = new Map<Caller, Pick<Call, 'token' | 'apiKey'>>();
  return {
    async callAs(caller: Caller, { method, path }: { method: string; path: string }) {
      const credentials = signedIn.get(caller) ?? (await sign[caller]());
      const answer = await app.call(method, path.replace('{name}', 'x_y').replace(/\{\w+\}/g, newId()), {
        ...credentials,
        ...leastInput(method, path),
      });
      // Whatever was done may have been the end of the session, or changed who it is.
      if (method !== 'GET' && answer.status < 300) signedIn.delete(caller);
      else signedIn.set(caller, credentials);
      return answer;
    },
  };
}
