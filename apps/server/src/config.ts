import { networkInterfaces } from 'node:os';
import { join, resolve } from 'node:path';
import type { FeatureName } from '@atoll/contract';
import type { S3Options } from '@atoll/storage';
import type { z } from 'zod';
import { type Environment, environment } from './environment.ts';
import { StartError } from './platform/start-error.ts';

/** Every setting of the server, read from the environment here and nowhere else. */

export interface OauthClient {
  clientId: string;
  clientSecret: string;
}

export class ConfigError extends StartError {}

/** Reads and checks everything at once, so that all mistakes are told in one message. */
export function readConfig(env: Record<string, string | undefined>) {
  const parsed = environment.safeParse(env);
  const problems = parsed.success
    ? [...pairProblems(parsed.data), ...sandboxProblems(parsed.data)]
    : parsed.error.issues.map(issueLine);
  if (!parsed.success || problems.length > 0) {
    throw new ConfigError(`The configuration is wrong:\n${problems.map((line) => `  ${line}`).join('\n')}`);
  }
  return Object.freeze(toConfig(parsed.data));
}

export type Config = ReturnType<typeof toConfig>;

function issueLine(issue: z.core.$ZodIssue): string {
  const name = String(issue.path[0]) as keyof Environment;
  return `${name}: ${issue.message} (${environment.shape[name]?.description ?? 'unknown variable'})`;
}

/** Settings that mean nothing without each other. */
const pairs: [keyof Environment, keyof Environment][] = [
  ['ATOLL_ADMIN_PASSWORD', 'ATOLL_ADMIN_EMAIL'],
  ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
  ['GITHUB_CLIENT_SECRET', 'GITHUB_CLIENT_ID'],
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['GOOGLE_CLIENT_SECRET', 'GOOGLE_CLIENT_ID'],
  ['MICROSOFT_CLIENT_ID', 'MICROSOFT_CLIENT_SECRET'],
  ['MICROSOFT_CLIENT_SECRET', 'MICROSOFT_CLIENT_ID'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID'],
  ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
  ['ATOLL_GATEWAY_TOKEN', 'ATOLL_GATEWAY_URL'],
  ...allOrNone(['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET']),
  ['ATOLL_AI_KEY', 'ATOLL_AI_URL'],
  ['ANTHROPIC_BASE_URL', 'ANTHROPIC_API_KEY'],
  ['OPENAI_BASE_URL', 'OPENAI_API_KEY'],
  ['GEMINI_BASE_URL', 'GEMINI_API_KEY'],
  ['IDM_URL', 'IDM_AUDIENCE'],
  ['ORGANITZ_URL', 'ORGANITZ_AUDIENCE'],
  ...allOrNone(['S3_ENDPOINT', 'S3_BUCKET', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']),
];

function allOrNone(names: (keyof Environment)[]): [keyof Environment, keyof Environment][] {
  return names.flatMap((given) => names.map((needed): [keyof Environment, keyof Environment] => [given, needed]));
}

const isLoopback = (host: string) => /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)$/.test(host);

/** Whoever reaches the server would have the machine. */
function sandboxProblems({ ATOLL_UNSANDBOXED_KERNELS, HOST, ATOLL_URL, ATOLL_TRUST_PROXY }: Environment): string[] {
  if (!ATOLL_UNSANDBOXED_KERNELS) return [];
  const rule = 'ATOLL_UNSANDBOXED_KERNELS: only where this machine alone reaches the server, but';
  return [
    ...(isLoopback(HOST) ? [] : [`${rule} HOST is ${HOST}. Set HOST to 127.0.0.1, or leave code in its sandbox.`]),
    ...(!ATOLL_URL || isLoopback(new URL(ATOLL_URL).hostname) ? [] : [`${rule} ATOLL_URL is ${ATOLL_URL}.`]),
    ...(ATOLL_TRUST_PROXY === false ? [] : [`${rule} ATOLL_TRUST_PROXY says that it is behind a proxy.`]),
  ];
}

function pairProblems(env: Environment): string[] {
  const broken = pairs.filter(([given, needed]) => env[given] && !env[needed]);
  // One line for each missing one, however many ask for it.
  return [...new Map(broken.map(([given, needed]) => [needed, [given, needed] as const])).values()].map(
    ([given, needed]) => `${needed}: needed because ${given} is set (${environment.shape[needed].description})`,
  );
}

function objectStore(env: Environment): S3Options | null {
  const { S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = env;
  if (!S3_ENDPOINT || !S3_BUCKET || !S3_REGION || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY) return null;
  return {
    endpoint: S3_ENDPOINT,
    bucket: S3_BUCKET,
    region: S3_REGION,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
    spoolFolder: join(resolve(env.ATOLL_DATA), 'spool'),
  };
}

function client(id: string | null, secret: string | null): OauthClient | null {
  return id && secret ? { clientId: id, clientSecret: secret } : null;
}

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];
const asHost = (address: string) => (address.includes(':') ? `[${address}]` : address);

/** The addresses it listens on: no name can be made to look like one. */
function ownAddresses(host: string): string[] {
  if (host !== '0.0.0.0' && host !== '::') return [asHost(host)];
  return Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => asHost(address)));
}

function toConfig(env: Environment) {
  const url = env.ATOLL_URL ?? `http://localhost:${env.PORT}`;
  const disabled = Object.fromEntries(env.ATOLL_FEATURES_OFF.map((name) => [name, false]));
  return {
    port: env.PORT,
    host: env.HOST,
    url,
    origin: new URL(url).origin,
    hosts: [new URL(url).hostname, ...env.ATOLL_HOSTS, ...loopbackNames, ...ownAddresses(env.HOST)],
    isHttps: url.startsWith('https:'),
    trustProxy: env.ATOLL_TRUST_PROXY,
    dataFolder: resolve(env.ATOLL_DATA),
    platform: env.ATOLL_PLATFORM,
    signUp: env.ATOLL_SIGN_UP,
    features: disabled as Partial<Record<FeatureName, boolean>>,
    log: { level: env.ATOLL_LOG_LEVEL, pretty: env.ATOLL_LOG_FORMAT === 'pretty' },
    build: { commit: env.ATOLL_COMMIT, tag: env.ATOLL_TAG },
    databaseUrl: env.DATABASE_URL,
    natsUrl: env.NATS_URL,
    objectStore: objectStore(env),
    secretKeys: env.ATOLL_SECRET_KEYS.map((key): Buffer => Buffer.from(key, 'hex')),
    tables: { memoryMb: env.ATOLL_TABLE_MEMORY, cacheBytes: env.ATOLL_TABLE_CACHE * 1024 ** 2 },
    chromiumPath: env.CHROMIUM_PATH,
    kernels: {
      runFolder: resolve(env.ATOLL_KERNEL_FOLDER),
      freeDiskBytes: env.ATOLL_KERNEL_FREE_DISK * 1024 ** 2,
      graceMs: env.ATOLL_KERNEL_GRACE * 1_000,
      gateway: env.ATOLL_GATEWAY_URL ? { url: env.ATOLL_GATEWAY_URL, token: env.ATOLL_GATEWAY_TOKEN ?? '' } : null,
      keepsSpare: env.ATOLL_KERNEL_SPARE,
      hasNetwork: env.ATOLL_KERNEL_NETWORK,
      isUnsandboxed: env.ATOLL_UNSANDBOXED_KERNELS,
      python: env.ATOLL_PYTHON,
      pyodideUrl: env.ATOLL_PYODIDE_URL,
      packages: env.ATOLL_PACKAGES
        ? {
            allowed: env.ATOLL_PACKAGES_ALLOWED,
            index: env.ATOLL_PACKAGE_INDEX,
            mostBytes: env.ATOLL_PACKAGES_LIMIT * 1024 ** 2,
            timeoutMs: 10 * 60_000,
          }
        : null,
      outputLimit: env.ATOLL_OUTPUT_LIMIT * 1024 ** 2,
      parallelCells: env.ATOLL_PARALLEL_CELLS,
    },
    ai: {
      keys: { anthropic: env.ANTHROPIC_API_KEY, openai: env.OPENAI_API_KEY, google: env.GEMINI_API_KEY },
      addresses: {
        anthropic: env.ANTHROPIC_BASE_URL,
        openai: env.OPENAI_BASE_URL,
        google: env.GEMINI_BASE_URL,
      },
      server: env.ATOLL_AI_URL ? { url: env.ATOLL_AI_URL, key: env.ATOLL_AI_KEY } : null,
      models: env.ATOLL_AI_MODELS,
      looksForLocal: env.ATOLL_AI_LOCAL,
      dailyUnits: env.ATOLL_AI_DAILY_UNITS,
      turnUnits: env.ATOLL_AI_ANSWER_UNITS,
      conversationUnits: env.ATOLL_AI_CONVERSATION_UNITS,
    },
    admin: { email: env.ATOLL_ADMIN_EMAIL, password: env.ATOLL_ADMIN_PASSWORD },
    mail: {
      smtpUrl: env.SMTP_URL,
      /** Whether mails reach the people they are for. */
      isDelivered: env.SMTP_URL !== null || env.ATOLL_MAILBOX,
      from: env.SMTP_FROM,
      contact: env.ATOLL_CONTACT_EMAIL,
    },
    oauth: {
      github: client(env.GITHUB_CLIENT_ID, env.GITHUB_CLIENT_SECRET),
      githubUrl: env.GITHUB_URL,
      google: client(env.GOOGLE_CLIENT_ID, env.GOOGLE_CLIENT_SECRET),
      googleIssuer: env.GOOGLE_ISSUER,
      microsoft: client(env.MICROSOFT_CLIENT_ID, env.MICROSOFT_CLIENT_SECRET),
      microsoftIssuer: env.MICROSOFT_ISSUER,
      oidc: client(env.OIDC_CLIENT_ID, env.OIDC_CLIENT_SECRET),
      oidcIssuer: env.OIDC_ISSUER,
      oidcName: env.OIDC_NAME,
    },
    identityService: env.IDM_URL && env.IDM_AUDIENCE ? { url: env.IDM_URL, audience: env.IDM_AUDIENCE } : null,
    organitz:
      env.ORGANITZ_URL && env.ORGANITZ_AUDIENCE ? { url: env.ORGANITZ_URL, audience: env.ORGANITZ_AUDIENCE } : null,
    stripe:
      env.STRIPE_SECRET_KEY && env.STRIPE_WEBHOOK_SECRET
        ? { secretKey: env.STRIPE_SECRET_KEY, webhookSecret: env.STRIPE_WEBHOOK_SECRET, apiUrl: env.STRIPE_API_URL }
        : null,
    creditLimit: env.ATOLL_CREDIT_LIMIT,
    hasUnbounded: env.ATOLL_UNBOUNDED,
    hasErrorReports: env.ATOLL_ERROR_REPORTS,
    trading: {
      isConnected: env.ATOLL_EXCHANGES,
      address: env.ATOLL_EXCHANGE_ADDRESS || null,
      urls: { binance: env.BINANCE_URL, binance_testnet: env.BINANCE_TESTNET_URL },
      streamUrls: { binance: env.BINANCE_STREAM_URL, binance_testnet: env.BINANCE_TESTNET_STREAM_URL },
    },
    telegramBotToken: env.TELEGRAM_BOT_TOKEN,
    slackSigningSecret: env.SLACK_SIGNING_SECRET,
    outside: {
      telegramUrl: env.TELEGRAM_API_URL,
      slackUrl: env.SLACK_API_URL,
      privateHosts: env.ATOLL_PRIVATE_TARGETS,
    },
  };
}
