import type { RawEndpoint } from '@atoll/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from './context.ts';
import type { EventHandlers } from './events/relay.ts';
import type { Policy } from './policy/policy.ts';

export interface RawRoute {
  endpoint: RawEndpoint;
  handle(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<unknown>;
}

/** One capability of the product. A part that is missing is an aspect the feature does not have. */
export interface Feature {
  name: string;
  policy: Policy;
  events?: EventHandlers;
  rawRoutes?: RawRoute[];
  /** Work before the server listens: seeds, checks. */
  start?(ctx: Context): Promise<void>;
  /** Regular tidying, every hour. */
  sweep?(ctx: Context): Promise<void>;
}
