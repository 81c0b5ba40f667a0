import type { AddressInfo } from 'node:net';
import fastifyStatic from '@fastify/static';
import fastify from 'fastify';

/** Files of a folder, in a process of its own. */
const server = fastify();
await server.register(fastifyStatic, { root: process.argv[2] ?? '', preCompressed: true });
await server.listen({ port: 0, host: 'localhost' });
process.send?.((server.server.address() as AddressInfo).port);
