import { contract } from 'virtual:contract';
import type { Contract } from '@atoll/contract';
import { createORPCClient } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import { OpenAPILink } from '@orpc/openapi-client/fetch';
import { createTanstackQueryUtils } from '@orpc/tanstack-query';
import { ApiError, hasReason } from './api-error.ts';
import { authHeaders } from './credentials.ts';
import { sessionsBegun, setExpired } from './expiry.ts';
import { apiBase, send } from './http.ts';
import { proveAgain } from './reauthentication.ts';

const link = new OpenAPILink(contract, {
  url: () => apiBase(),
  headers: () => authHeaders(),
  fetch: (request, init) => send(request, { ...init, credentials: 'same-origin' }),
  interceptors: [
    async ({ next, path }) => {
      const asked = sessionsBegun();
      try {
        return await next();
      } catch (error) {
        if (asked === sessionsBegun()) noticeLostSession(error, path);
        if (!hasReason(error, 'reauthentication_required')) throw error;
        await proveAgain(error);
        return next();
      }
    },
  ],
});

/** Any call may find that the session ended elsewhere; a wrong password does not mean that. */
function noticeLostSession(error: unknown, [group]: readonly string[]): void {
  const isLost = error instanceof ApiError && error.status === 401 && group !== 'signIn';
  if (isLost) setExpired(true);
}

/** Every call of the contract, typed. */
export const client: ContractRouterClient<Contract> = createORPCClient(link);

/** The same calls as query and mutation options. */
export const api = createTanstackQueryUtils(client);
