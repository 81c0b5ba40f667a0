import { apiPrefix, type EndpointMeta, rawContract } from '@atoll/contract';
import { OpenAPIHandler } from '@orpc/openapi/fastify';
import { type AnyRouter, ORPCError } from '@orpc/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authentication, Credentials } from '../actor.ts';
import { type Context, createContext, type Services } from '../context.ts';
import { AppError } from '../errors.ts';
import type { Feature, RawRoute } from '../feature.ts';
import type { Log } from '../log.ts';
import type { Policy } from '../policy/policy.ts';
import { unreadBody } from './bodies.ts';
import { contractEndpoints } from './contract-endpoints.ts';
import { cookieResponse, readCredentials } from './credentials.ts';
import { errorBody, sendError, toAppError } from './error-response.ts';
import { guard } from './guard.ts';

interface Binding {
  services: Services;
  router: AnyRouter;
  features: readonly Feature[];
  authenticate(credentials: Credentials): Promise<Authentication>;
}

/** Binds every endpoint of the contract; throws when one has no permission, or its permission has no rule. */
export function bindContract(app: FastifyInstance, binding: Binding): void {
  const rawRoutes = binding.features.flatMap((feature) => feature.rawRoutes ?? []);
  assertComplete(binding.services.policy, rawRoutes);
  for (const route of rawRoutes) bindRaw(app, binding, route);
  bindRouter(app, binding);
}

function bindRouter(app: FastifyInstance, binding: Binding): void {
  /** Contexts of requests that could be decoded; a later error is not the caller's mistake. */
  const decoded = new WeakSet<Context>();
  const handler = new OpenAPIHandler<Context>(binding.router, {
    rootInterceptors: [
      ({ request, next }) => {
        acceptPageSize(request.url.searchParams);
        return next();
      },
    ],
    interceptors: [
      async ({ context, next }) => {
        try {
          return await next();
        } catch (error) {
          throw asOrpcError(context, toAppError(decoded.has(context) ? error : asUnreadable(error), context.log));
        }
      },
    ],
    clientInterceptors: [
      async ({ context, procedure, next }) => {
        decoded.add(context);
        await guard(context, procedure['~orpc'].meta as EndpointMeta);
        const output = await next();
        context.assertRowChecked();
        return output;
      },
    ],
    customErrorResponseBodyEncoder: (error) => error.data,
  });
  const unknown = () => {
    throw new AppError('not_found', 'There is no such endpoint.');
  };
  app.all(`${apiPrefix}/v1/*`, async (request, reply) => {
    if (request.body === unreadBody) throw new AppError('unsupported_media_type', 'Send JSON.');
    const context = await requestContext(request, reply, binding);
    const { matched } = await handler.handle(request, reply, { prefix: apiPrefix, context });
    if (!matched) unknown();
    return reply;
  });
  app.all(`${apiPrefix}/*`, unknown);
}

/** The specification writes both `page-size` and `page_size`. */
function acceptPageSize(query: URLSearchParams): void {
  const size = query.get('page-size');
  if (size === null) return;
  query.delete('page-size');
  query.set('page_size', size);
}

function asUnreadable(error: unknown): unknown {
  return error instanceof AppError ? error : new AppError('bad_request', 'The request could not be read.');
}

function asOrpcError(ctx: Context, error: AppError): ORPCError<string, unknown> {
  if (error.extras.retryAfterSeconds) ctx.response.retryAfter(error.extras.retryAfterSeconds);
  const data = errorBody(error, ctx.requestId);
  return new ORPCError(error.code, { status: error.status, message: error.message, data });
}

function bindRaw(app: FastifyInstance, binding: Binding, route: RawRoute): void {
  const { endpoint } = route;
  app.route({
    method: endpoint.method,
    url: apiPrefix + endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
    handler: async (request, reply) => {
      try {
        const context = await requestContext(request, reply, binding);
        await guard(context, endpoint);
        const result = await route.handle(context, request, reply);
        context.assertRowChecked();
        return result ?? reply;
      } catch (error) {
        return sendError(request, reply, error);
      }
    },
  });
}

/** Finds the caller from the request's credentials. */
export async function requestContext(
  request: FastifyRequest,
  reply: FastifyReply,
  binding: Pick<Binding, 'services' | 'authenticate'>,
): Promise<Context> {
  const credentials = readCredentials(request, binding.services.config);
  const { actor, problem, message } = await binding.authenticate(credentials);
  return createContext(binding.services, {
    actor,
    credentials,
    credentialProblem: problem,
    suspensionMessage: message,
    requestId: request.id,
    log: request.log as Log,
    response: cookieResponse(request, reply, binding.services.config),
  });
}

/** Deny by default, checked at boot: no endpoint without a permission, no permission without a rule. */
function assertComplete(policy: Policy, rawRoutes: RawRoute[]): void {
  const declaredRaw = Object.values(rawContract).flatMap((group) => Object.values(group));
  const problems = [
    ...[...contractEndpoints(), ...declaredRaw]
      .filter((endpoint) => !endpoint.permission || !policy[endpoint.permission])
      .map(({ method, path, permission }) => `${method} ${path} has no rule for its permission (${permission})`),
    ...declaredRaw
      .filter((declared) => !rawRoutes.some((route) => route.endpoint === declared))
      .map(({ method, path }) => `${method} ${path} is declared and not bound`),
  ];
  if (problems.length > 0) throw new Error(`The contract is not fully bound:\n${problems.join('\n')}`);
}
