import { contract, type EndpointMeta } from '@atoll/contract';
import { isContractProcedure } from '@orpc/contract';

export interface DeclaredEndpoint extends EndpointMeta {
  name: string;
  method: string;
  path: string;
}

/** Every JSON endpoint of the contract, flat. */
export function contractEndpoints(router: unknown = contract, name: string[] = []): DeclaredEndpoint[] {
  if (isContractProcedure(router)) {
    const { route, meta } = router['~orpc'];
    return [{ ...(meta as EndpointMeta), name: name.join('.'), method: route.method ?? '', path: route.path ?? '' }];
  }
  return Object.entries(router as object).flatMap(([key, value]) => contractEndpoints(value, [...name, key]));
}
