import { oc } from '@orpc/contract';
import type { Permission } from './declarations.ts';
import type { FeatureName } from './features.ts';

/** How often one caller may use a class of endpoints; the numbers live with the server's limiter. */
export type LimitClass = 'read' | 'write' | 'sign_in' | 'mail' | 'upload';

/** What an API key needs to call an endpoint; `never` keeps keys away from identity itself. */
export type KeyScope = 'read' | 'write' | 'never';

export interface EndpointMeta {
  permission: Permission;
  /** The feature flag without which it answers `disabled_in_configuration`. */
  flag: FeatureName | null;
  limit: LimitClass;
  keyScope: KeyScope;
  /** What writes is refused while an admin acts as another person. */
  isWriting: boolean;
}

interface EndpointOptions {
  permission: Permission;
  summary: string;
  description?: string;
  tag: string;
  flag?: FeatureName;
  limit?: LimitClass;
  keyScope?: KeyScope;
  /** Every method but GET writes, unless it says that it does not. */
  isWriting?: false;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Declares one endpoint: the only way to add one, so none comes without a permission. */
export function endpoint(method: Method, path: `/v1/${string}`, options: EndpointOptions) {
  const { permission, summary, description, tag } = options;
  const reading = method === 'GET';
  const meta: EndpointMeta = {
    permission,
    flag: options.flag ?? null,
    limit: options.limit ?? (reading ? 'read' : 'write'),
    keyScope: options.keyScope ?? (reading ? 'read' : 'write'),
    isWriting: options.isWriting ?? !reading,
  };
  return oc
    .$meta<EndpointMeta>(meta)
    .route({ method, path, summary, ...(description ? { description } : {}), tags: [tag] });
}

/**
 * An endpoint whose request or answer is not JSON (a file's bytes, a page, a signed webhook). It is bound by hand but
 * declared here, so that its permission, limit and place in the OpenAPI document follow the same rules.
 */
export interface RawEndpoint extends EndpointMeta {
  method: Method;
  path: string;
  summary: string;
  tag: string;
}

export function rawEndpoint(method: Method, path: string, options: EndpointOptions): RawEndpoint {
  const reading = method === 'GET';
  return {
    method,
    path,
    permission: options.permission,
    flag: options.flag ?? null,
    summary: options.summary,
    tag: options.tag,
    limit: options.limit ?? (reading ? 'read' : 'write'),
    keyScope: options.keyScope ?? (reading ? 'read' : 'write'),
    isWriting: options.isWriting ?? !reading,
  };
}
