import { join } from 'node:path';
import { topics } from '@atoll/contract';
import { checkedBlobs, folderBlobs, s3Blobs } from '@atoll/storage';
import cookie from '@fastify/cookie';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { z } from 'zod';
import type { Config } from './config.ts';
import { authenticateApiKey } from './features/api-keys/index.ts';
import { features as allFeatures, router } from './features/index.ts';
import { limitsOf } from './features/kernels/index.ts';
import { authenticateSocketToken, authenticateToken } from './features/sessions/index.ts';
import { currentTheme } from './features/theme/index.ts';
import { type Credentials, systemActor } from './platform/actor.ts';
import { createState } from './platform/app-state.ts';
import { type Context, createContext, type Services, withoutHttp } from './platform/context.ts';
import type { OpenDatabase } from './platform/db/database.ts';
import { AppError } from './platform/errors.ts';
import { EventRelay } from './platform/events/relay.ts';
import { type Feature, joinBroadcasts, type Stop, type StopOptions } from './platform/feature.ts';
import { bindContract, requestContext } from './platform/http/binder.ts';
import { parseBodies } from './platform/http/bodies.ts';
import { sendError } from './platform/http/error-response.ts';
import { isOriginAllowed, refuseOtherHosts } from './platform/http/hosts.ts';
import { createLimits, type Limits } from './platform/http/limits.ts';
import { servePages } from './platform/http/pages.ts';
import { addSecurityHeaders, framedHeaders, pagePolicy, printedHeaders } from './platform/http/security-headers.ts';
import { dropSlowConnections } from './platform/http/slow-connections.ts';
import { plainDocument, serveWeb } from './platform/http/web.ts';
import { defineJob, type JobSchedule } from './platform/jobs/definition.ts';
import type { JobRow } from './platform/jobs/table.ts';
import { Jobs, sweepJobs } from './platform/jobs/worker.ts';
import { type Kernels, kernelsInProcess } from './platform/kernels/kernels.ts';
import type { Log } from './platform/log.ts';
import { mailboxMailer } from './platform/mail/mailbox.ts';
import type { Mailer } from './platform/mail/mailer.ts';
import { smtpMailer } from './platform/mail/smtp.ts';
import type { MessageBus } from './platform/messages/bus.ts';
import { inProcessBus } from './platform/messages/in-process.ts';
import { natsBus } from './platform/messages/nats.ts';
import { createPeers } from './platform/messages/peers.ts';
import { sharedKey } from './platform/messages/shared-key.ts';
import { joinPolicies } from './platform/policy/policy.ts';
import { joinChannels } from './platform/realtime/channel.ts';
import { createRealtime, type Realtime } from './platform/realtime/realtime.ts';
import { message, type TopicMessage } from './platform/realtime/stream.ts';
import { createRenderer } from './platform/renderer/renderer.ts';
import { createTables } from './platform/tables/tables.ts';

const features: readonly Feature[] = allFeatures;

interface Dependencies {
  config: Config;
  database: OpenDatabase;
  log: Log;
  now?: () => Date;
  mail?: Mailer;
  bus?: MessageBus;
  kernels?: Kernels;
  limits?: Limits;
  announce?: Services['announce'];
  /** Regular work begins by itself; tests begin what they are about. */
  hasSchedules?: boolean;
  /** Folder of the built web app; null in tests that need only the API. */
  webFolder: string | null;
}

export interface App {
  http: FastifyInstance;
  relay: EventRelay;
  jobs: Jobs;
  realtime: Realtime;
  /** A context in the server's own name. */
  system(): Context;
  start(): Promise<void>;
  stop(options?: StopOptions): Promise<void>;
}

export async function createApp(dependencies: Dependencies): Promise<App> {
  const { config, database, log, now = () => new Date() } = dependencies;
  const blobs = checkedBlobs(
    config.objectStore ? s3Blobs(config.objectStore) : folderBlobs(join(config.dataFolder, 'blobs')),
  );
  const kernels =
    dependencies.kernels ??
    kernelsInProcess({
      runFolder: config.kernels.runFolder,
      freeDiskBytes: config.kernels.freeDiskBytes,
      graceMs: config.kernels.graceMs,
      gateway: config.kernels.gateway,
      python: config.kernels.python,
      sharesHostNetwork: config.kernels.hasNetwork,
      folder: join(config.dataFolder, 'kernels'),
      dataFolder: config.dataFolder,
      spareLimits: config.kernels.keepsSpare ? limitsOf('l1') : null,
      packages: config.kernels.packages,
      isUnsandboxed: config.kernels.isUnsandboxed,
      pyodideUrl: config.kernels.pyodideUrl,
    });
  const tables = createTables({
    folder: join(config.dataFolder, 'cache', 'tables'),
    readable: config.objectStore ? [] : [join(config.dataFolder, 'blobs')],
    blobs,
    ...config.tables,
  });
  const renderer = createRenderer({
    folder: join(config.dataFolder, 'cache', 'renderer'),
    origin: config.origin,
    chromiumPath: config.chromiumPath,
    log,
    answer: (path) => answerPage(http, config, path),
  });
  const bus =
    dependencies.bus ??
    (config.natsUrl ? await natsBus(config.natsUrl, { key: await sharedKey(database.db), log }) : inProcessBus());
  const peers = createPeers(bus, log);
  const services: Services = {
    config,
    db: database.db,
    now,
    blobs,
    tables,
    renderer,
    kernels,
    peers,
    mail: dependencies.mail ?? defaultMailer(config, log),
    policy: joinPolicies(features.map((feature) => feature.policy)),
    limits: dependencies.limits ?? createLimits(),
    state: createState(() => system()),
    announce: dependencies.announce ?? (() => {}),
    broadcasts: joinBroadcasts(features),
    publicationKinds: features.flatMap((feature) => feature.publicationKinds ?? []),
    documentTools: features.flatMap((feature) => feature.documentTools ?? []),
    entities: Object.assign({}, ...features.map(({ entities }) => entities)),
    committed({ hasEvents, hasJobs, messages }) {
      if (hasEvents) relay.nudge();
      if (hasJobs) jobs.nudge();
      realtime.committed(messages);
    },
  };
  const system = (requestId = 'system') =>
    createContext(services, { ...withoutHttp, actor: systemActor, requestId, log });
  const relay = new EventRelay({
    db: database.db,
    log,
    now,
    handlers: Object.fromEntries(
      features.flatMap(({ name, events = {}, notifications = {} }) => [
        [name, events],
        [`${name}.notifications`, notifications],
      ]),
    ),
    contextFor: (event) => system(event.requestId ?? undefined),
  });

  const sweeps = [
    ...features.flatMap(({ name, sweep }) => (sweep ? [sweepOf(name, sweep)] : [])),
    sweepOf('realtime', () => realtime.sweep()),
    sweepOf('jobs', (ctx) => sweepJobs(ctx.db, ctx.now())),
  ];
  const jobs = new Jobs({
    db: database.db,
    log,
    now,
    definitions: [...features.flatMap((feature) => feature.jobs ?? []), ...sweeps.map(({ job }) => job)],
    schedules: dependencies.hasSchedules === false ? {} : allSchedules(sweeps),
    context: () => system(),
    messagesFor: jobMessages,
  });

  const http = await createHttp(dependencies, services);
  const realtime = createRealtime({
    services,
    log,
    bus,
    channels: joinChannels(
      features.flatMap((feature) => feature.channels ?? []),
      features.flatMap((feature) => feature.addedCommands ?? []),
    ),
    authenticate: (token) => authenticateSocketToken(services, token),
    isOriginAllowed: (origin, host) => isOriginAllowed(config, origin, host),
  });
  realtime.attach(http, http.server);
  const stopping: Stop[] = [];
  return {
    http,
    relay,
    jobs,
    realtime,
    system,
    async start() {
      await peers.start(await kernels.serverId());
      for (const feature of features) {
        const stop = await feature.start?.(system());
        if (stop) stopping.push(stop);
      }
      relay.start();
      await jobs.start();
      await realtime.start();
    },
    async stop(options = { keepsKernels: false }) {
      await realtime.stop();
      // A job must not fail for want of what is stopped next: another server goes on with it.
      jobs.pause();
      for (const stop of stopping) await stop(options);
      await (options.keepsKernels ? kernels.leave() : kernels.stop());
      // Who waits for a document is told before connections are waited for.
      await renderer.stop();
      // A connection that was busy when closing began is idle later, and nobody else would end it then.
      const reaper = setInterval(() => http.server.closeIdleConnections(), 50);
      await http.close().finally(() => clearInterval(reaper));
      await tables.stop();
      await relay.stop();
      await jobs.stop();
      await database.close();
    },
  };
}

const sweepOf = (name: string, sweep: (ctx: Context) => Promise<void>): JobSchedule => ({
  cron: '0 * * * *',
  isRunAtStart: true,
  job: defineJob({ kind: `${name}.sweep`, payload: z.object({}), concurrency: 1, run: ({ ctx }) => sweep(ctx) }),
  payload: {},
});

const allSchedules = (sweeps: JobSchedule[]): Record<string, JobSchedule> => ({
  ...Object.fromEntries(sweeps.map((sweep) => [sweep.job.kind, sweep])),
  ...Object.assign({}, ...features.map(({ schedules }) => schedules)),
});

/** A job is shown live to the person whose work it is. */
const jobMessages = ({ id, kind, state, progress, message: doing, reason, ownerId }: JobRow): TopicMessage[] =>
  ownerId
    ? [
        message(topics.person, { userId: ownerId }, 'job_changed', {
          id,
          kind,
          state,
          progress,
          message: doing,
          reason,
        }),
      ]
    : [];

/** As to a stranger: what a page to print may see is in its address. */
async function answerPage(http: FastifyInstance, { origin }: Config, path: string) {
  const { statusCode, headers, rawPayload } = await http.inject({ url: path, headers: { host: new URL(origin).host } });
  const texts = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  return { status: statusCode, headers: Object.fromEntries(texts), body: rawPayload };
}

/** So many proxies from our side on; further ones could have been invented by the client. */
const trustedProxies = (setting: Config['trustProxy']) =>
  typeof setting === 'number' ? (_address: string, hop: number) => hop < setting : setting;

async function createHttp(dependencies: Dependencies, services: Services): Promise<FastifyInstance> {
  const { config, log } = dependencies;
  const http: FastifyInstance = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustedProxies(config.trustProxy),
    bodyLimit: 1024 * 1024,
    genReqId: () => crypto.randomUUID(),
    // Long-lived uploads and a draining stop are fine; those that fall silent are dropped.
    requestTimeout: 0,
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    frameworkErrors: (error, request, reply) => sendError(request as FastifyRequest, reply as FastifyReply, error),
    routerOptions: { maxParamLength: 500 },
    // The tokens of GET /v1/me travel in its address.
    http: { maxHeaderSize: 64 * 1024, connectionsCheckingInterval: 5_000 },
  }) as unknown as FastifyInstance;
  dropSlowConnections(http);
  await http.register(cookie);
  parseBodies(http);
  addSecurityHeaders(http, config);
  refuseOtherHosts(http, config);
  http.setErrorHandler((error, request, reply) => sendError(request, reply, error));
  const binding = {
    services,
    router,
    features,
    authenticate: (credentials: Credentials) =>
      credentials.apiKey ? authenticateApiKey(services, credentials.apiKey) : authenticateToken(services, credentials),
  };
  bindContract(http, binding);
  const document = dependencies.webFolder
    ? await serveWeb(http, dependencies.webFolder, () => currentTheme(services))
    : plainDocument;
  servePages(
    http,
    features.flatMap((feature) => feature.pages ?? []),
    {
      contextOf: (request, reply) => requestContext(request, reply, binding),
      origin: config.origin,
      document,
      headers: (path) => ({ 'content-security-policy': pagePolicy(path) }),
      framedHeaders: ({ ancestors }) => framedHeaders(ancestors),
      printedHeaders,
    },
  );
  if (!dependencies.webFolder)
    http.setNotFoundHandler((request, reply) =>
      sendError(request, reply, new AppError('not_found', 'There is no such page.')),
    );
  return http;
}

function defaultMailer(config: Config, log: Log): Mailer {
  return config.mail.smtpUrl
    ? smtpMailer(config.mail.smtpUrl)
    : mailboxMailer({ folder: join(config.dataFolder, 'outbox'), log });
}
