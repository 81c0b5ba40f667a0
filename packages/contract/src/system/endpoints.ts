import { z } from 'zod';
import { endpoint, rawEndpoint } from '../endpoint.ts';
import { empty } from '../fields.ts';

const tag = 'System';
const integration = z.object({ enabled: z.boolean() });

export const serverConfig = z.object({
  integrations: z.object({
    identity_service: integration.extend({ url: z.string().nullable() }),
    github: integration,
    slack: integration,
    exchanges: integration,
    unbounded: integration,
    sentry: integration,
    telegram: integration,
  }),
  publication_providers: z.array(z.string()).describe('Where reports of publications can go from here'),
  kernels: z.object({ network: z.boolean().describe('Whether code can use the network at all') }),
  mail: z.object({ is_delivered: z.boolean().describe('Whether this server can send mail') }),
  sign_in: z.object({
    local: z.boolean().describe('Whether people can create accounts here'),
    providers: z.array(z.object({ id: z.string(), name: z.string() })),
  }),
});
export type ServerConfig = z.infer<typeof serverConfig>;

export const systemEndpoints = {
  status: endpoint('GET', '/v1/status', { permission: 'system.view', tag, summary: 'Which build is running' })
    .input(empty)
    .output(z.object({ commit: z.string().nullable(), short: z.string().nullable(), tag: z.string().nullable() })),

  config: endpoint('GET', '/v1/config', {
    permission: 'system.view',
    tag,
    summary: 'Which integrations and ways to sign in this server offers',
  })
    .input(empty)
    .output(serverConfig),
};

export const systemRawEndpoints = {
  live: rawEndpoint('GET', '/live', { permission: 'system.view', tag, summary: 'Whether the process answers' }),
  ready: rawEndpoint('GET', '/ready', { permission: 'system.view', tag, summary: 'Whether it can serve requests' }),
  openapi: rawEndpoint('GET', '/openapi.json', { permission: 'system.view', tag, summary: 'This document' }),
  asyncapi: rawEndpoint('GET', '/asyncapi.json', {
    permission: 'system.view',
    tag,
    summary: 'The realtime topics, commands and events',
  }),
  docs: rawEndpoint('GET', '/docs', { permission: 'system.view', tag, summary: 'This document as a page' }),
};
