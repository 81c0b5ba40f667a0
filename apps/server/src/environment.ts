import { tmpdir } from 'node:os';
import { featureNames, platforms } from '@atoll/contract';
import { z } from 'zod';

/**
 * Every variable of the environment that the server reads.
 * `describe` is what the documentation and the error message say about a variable.
 */

const optional = z
  .string()
  .optional()
  .transform((value) => value || null);
const webAddress = z.url({ protocol: /^https?$/ });
const optionalAddress = z
  .union([webAddress, z.literal('')])
  .optional()
  .transform((value) => value?.replace(/\/+$/, '') || null);
const onOff = (initial: 'on' | 'off') =>
  z
    .enum(['on', 'off'])
    .default(initial)
    .transform((value) => value === 'on');

/** Separated by commas. */
const hostList = z
  .string()
  .default('')
  .transform((value) =>
    value
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean),
  );

export const environment = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(4000).describe('port to listen on; 0 takes any free one'),
  HOST: z.string().default('127.0.0.1').describe('address to listen on; 0.0.0.0 for every interface'),
  ATOLL_DATA: z.string().min(1).default('./data').describe('folder for the database, files and outgoing mail'),
  ATOLL_PLATFORM: z.enum(platforms).default('atoll').describe('variant of the product: atoll, crypto or dpasa'),
  ATOLL_URL: optionalAddress.describe('address people open in the browser; http://localhost:PORT by default'),
  ATOLL_HOSTS: hostList
    .pipe(z.array(z.hostname('Must be names without port')))
    .describe(
      'further names under which the server answers, separated by commas; the one of ATOLL_URL and localhost always do',
    ),
  ATOLL_TRUST_PROXY: z
    .string()
    .default('off')
    .refine(
      (value) => value === 'off' || /^[1-9]$/.test(value) || /^[0-9a-f.:/, ]+$/i.test(value),
      'Must be off, a number of proxies, or their addresses',
    )
    .transform((value) => (value === 'off' ? false : /^[1-9]$/.test(value) ? Number(value) : value))
    .describe(
      'behind reverse proxies: how many there are, or their addresses, so that the client address is taken from them',
    ),
  ATOLL_SIGN_UP: onOff('on').describe('off stops people from making accounts themselves'),
  ATOLL_FEATURES_OFF: z
    .string()
    .default('')
    .transform((value) => value.split(/[\s,]+/).filter(Boolean))
    .pipe(z.array(z.enum(featureNames)))
    .describe('feature flags to switch off for everybody, separated by commas'),
  ATOLL_LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('how much to log'),
  ATOLL_LOG_FORMAT: z.enum(['pretty', 'json']).default('json').describe('json for machines, pretty for people'),
  ATOLL_COMMIT: optional.describe('commit of the build, where there is no git checkout to ask'),
  ATOLL_TAG: optional.describe('tag of the build, where there is no git checkout to ask'),
  DATABASE_URL: z
    .union([z.url({ protocol: /^postgres(ql)?$/ }), z.literal('')])
    .optional()
    .transform((value) => value || null)
    .describe('postgres://… to use a PostgreSQL server (15 or newer) instead of the embedded database'),
  NATS_URL: z
    .union([z.url({ protocol: /^(nats|tls|wss?)$/ }), z.literal('')])
    .optional()
    .transform((value) => value || null)
    .describe('nats://… when several servers share one database: what happens on one is seen at once on the others'),
  S3_ENDPOINT: optionalAddress.describe('S3-compatible object store for files, instead of the data folder'),
  S3_BUCKET: optional.describe('bucket in that store'),
  S3_REGION: optional.describe('region of that store; us-east-1 where it has none'),
  S3_ACCESS_KEY_ID: optional.describe('key of that store, which may read, write, list and delete in the bucket'),
  S3_SECRET_ACCESS_KEY: optional.describe('secret of that key'),
  ATOLL_SECRET_KEYS: z
    .string()
    .default('')
    .transform((value) => value.split(/[\s,]+/).filter(Boolean))
    .pipe(z.array(z.string().regex(/^[0-9a-f]{64}$/i, 'Each key must be 64 hexadecimal digits')))
    .describe(
      'keys that seal users\u2019 secrets, newest first (make one with: openssl rand -hex 32); made in the data folder by default',
    ),
  ATOLL_KERNEL_FOLDER: z
    .string()
    .min(1)
    .default(tmpdir())
    .describe('where running code has its files and sockets; a short path on a disk with room'),
  ATOLL_KERNEL_FREE_DISK: z.coerce
    .number()
    .int()
    .min(0)
    .default(512)
    .describe('megabytes of that disk that stay free: with less, the kernel that has written most is ended'),
  ATOLL_KERNEL_GRACE: z.coerce
    .number()
    .int()
    .min(1)
    .default(600)
    .describe('seconds that running code waits for a server that is gone before it is ended'),
  ATOLL_KERNEL_SPARE: onOff('on').describe(
    'keeps a started kernel ready for the next person; off starts everything only when it is needed',
  ),
  ATOLL_KERNEL_NETWORK: onOff('off').describe(
    'on lets the code of people on a paid plan, and of admins, use the network of this machine, with all that listens in it, in projects whose settings want it',
  ),
  ATOLL_OUTPUT_LIMIT: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .default(50)
    .describe(
      'megabytes that one cell may show; the rest is left out. All cells of a run together may show twice as much',
    ),
  ATOLL_PARALLEL_CELLS: z.coerce
    .number()
    .int()
    .min(1)
    .max(16)
    .default(4)
    .describe('how many cells of one notebook run at once, where its kernel can and its people want it; 1: never'),
  ATOLL_PYTHON: optional.describe(
    'Python with ipykernel to run code with; looked for, or made in the data folder, by default',
  ),
  ATOLL_UNSANDBOXED_KERNELS: onOff('off').describe(
    'on runs code as Jupyter does, without a sandbox, with all files and the network of the person who starts the server; only where no one else can reach it',
  ),
  ATOLL_PACKAGES: onOff('on').describe(
    'lets code install Python packages with %pip: this server fetches them, and code itself still has no network',
  ),
  ATOLL_PACKAGES_ALLOWED: z
    .string()
    .default('')
    .transform((value) => value.split(/[\s,]+/).filter(Boolean))
    .pipe(z.array(z.string().regex(/^[A-Za-z0-9._-]+$/, 'Must be names of packages')))
    .describe(
      'packages that may be installed, with what they need themselves, separated by commas; all of the index by default',
    ),
  ATOLL_PACKAGES_LIMIT: z.coerce
    .number()
    .int()
    .min(1)
    .default(1024)
    .describe('megabytes that the packages installed in one project may take'),
  ATOLL_PACKAGE_INDEX: optionalAddress.describe(
    'index that packages are fetched from; what pip is set up with by default',
  ),
  ATOLL_PYODIDE_URL: optionalAddress.describe(
    'mirror of the packages that come with Python in WebAssembly (numpy, pandas, …), checked by their hashes; the official one by default',
  ),
  ATOLL_GATEWAY_URL: optionalAddress.describe('Jupyter Server, Kernel Gateway or Enterprise Gateway to run code on'),
  ATOLL_GATEWAY_TOKEN: optional.describe('token of that gateway'),
  ATOLL_ADMIN_EMAIL: z
    .union([z.email(), z.literal('')])
    .optional()
    .transform((value) => value || null)
    .describe('address of the first admin'),
  ATOLL_ADMIN_PASSWORD: z
    .union([z.string().min(10), z.literal('')])
    .optional()
    .transform((value) => value || null)
    .describe('password of the first admin, at least 10 characters'),
  ATOLL_TABLE_MEMORY: z.coerce
    .number()
    .int()
    .min(128)
    .default(1024)
    .describe('megabytes that reading one table (csv, parquet, xlsx, …) may take; up to four are read at once'),
  ATOLL_TABLE_CACHE: z.coerce
    .number()
    .int()
    .min(100)
    .default(10_240)
    .describe('megabytes of tables kept read in, in the data folder'),
  CHROMIUM_PATH: optional.describe(
    'browser (Chromium 131 or newer, Chrome or Edge) that makes PDFs and pictures of reports; looked for in the usual places by default',
  ),
  SMTP_URL: z
    .union([z.url({ protocol: /^smtps?$/ }), z.literal('')])
    .optional()
    .transform((value) => value || null)
    .describe(
      'smtp://user:password@host:port; without it mails are files in the data folder’s outbox/ and reach nobody',
    ),
  ATOLL_MAILBOX: onOff('off').describe("on where another program delivers the mails in the data folder's outbox/"),
  SMTP_FROM: optional.describe('sender of outgoing mail'),
  ATOLL_CONTACT_EMAIL: z
    .union([z.email(), z.literal('')])
    .optional()
    .transform((value) => value || null)
    .describe('who receives contact messages; the first admin by default'),
  GITHUB_CLIENT_ID: optional.describe('GitHub OAuth app'),
  GITHUB_CLIENT_SECRET: optional.describe('GitHub OAuth app'),
  GITHUB_URL: optionalAddress.describe('address of a GitHub Enterprise Server; github.com by default'),
  GOOGLE_CLIENT_ID: optional.describe('Google OAuth client'),
  GOOGLE_CLIENT_SECRET: optional.describe('Google OAuth client'),
  GOOGLE_ISSUER: webAddress.default('https://accounts.google.com').describe('issuer of Google sign-ins'),
  MICROSOFT_CLIENT_ID: optional.describe('Microsoft Entra application'),
  MICROSOFT_CLIENT_SECRET: optional.describe('Microsoft Entra application'),
  MICROSOFT_ISSUER: webAddress
    .default('https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0')
    .describe('issuer of Microsoft sign-ins, with the tenant in it; personal accounts by default'),
  OIDC_ISSUER: optionalAddress.describe('any OpenID Connect issuer'),
  OIDC_CLIENT_ID: optional.describe('client at that issuer'),
  OIDC_CLIENT_SECRET: optional.describe('client at that issuer'),
  OIDC_NAME: z.string().default('Single sign-on').describe('what the button for that issuer says'),
  IDM_URL: optionalAddress.describe(
    'identity service: an OpenID Connect issuer whose tokens GET /v1/me takes as idm_token',
  ),
  IDM_AUDIENCE: optional.describe('audience those tokens must have'),
  ORGANITZ_URL: optionalAddress.describe('second issuer, for organitz_token'),
  ORGANITZ_AUDIENCE: optional.describe('audience those tokens must have'),
  TELEGRAM_BOT_TOKEN: optional.describe('token of the bot that opens the mini-app'),
  TELEGRAM_API_URL: webAddress
    .default('https://api.telegram.org')
    .describe('where the bot sends from; the address of a Bot API server of your own'),
  ATOLL_UNBOUNDED: onOff('off').describe(
    'on lets people keep units apart from their wallet, for the optional dataset and token service',
  ),
  ATOLL_ERROR_REPORTS: onOff('off').describe(
    'on has browsers report errors of the interface to this server, where admins read them as `client.error` in Admin → Tracking',
  ),
  ATOLL_CREDIT_LIMIT: z.coerce
    .number()
    .int()
    .min(0)
    .default(10_000)
    .describe(
      'units that one admin alone can add to wallets, take from them or give as vouchers in a day; more needs a second admin',
    ),
  ANTHROPIC_API_KEY: optional.describe('key of Anthropic: its models answer everyone here'),
  OPENAI_API_KEY: optional.describe('key of OpenAI: its models answer everyone here'),
  GEMINI_API_KEY: optional.describe('key of Google: its models answer everyone here'),
  ANTHROPIC_BASE_URL: optionalAddress.describe('where Anthropic answers, for example a proxy; with /v1'),
  OPENAI_BASE_URL: optionalAddress.describe('where OpenAI answers, for example a proxy; with /v1'),
  GEMINI_BASE_URL: optionalAddress.describe('where Google answers, for example a proxy; with /v1beta'),
  ATOLL_AI_URL: optionalAddress.describe('any OpenAI-compatible server whose models answer everyone here, with /v1'),
  ATOLL_AI_KEY: optional.describe('key of that server'),
  ATOLL_AI_MODELS: z
    .string()
    .default('')
    .transform((value) => value.split(/[\s,]+/).filter(Boolean))
    .pipe(z.array(z.string().regex(/^(anthropic|openai|google|server)\/.+$/, 'Must be like openai/gpt-5')))
    .describe(
      'models to offer, the first is the usual one, separated by commas: anthropic/…, openai/…, google/…, or server/… for the server above',
    ),
  ATOLL_AI_LOCAL: onOff('on').describe('looks for Ollama, LM Studio and vLLM on this machine at their usual addresses'),
  ATOLL_AI_DAILY_UNITS: z.coerce
    .number()
    .int()
    .min(0)
    .default(1_000)
    .describe('units that one person can spend on models in a day'),
  ATOLL_AI_ANSWER_UNITS: z.coerce
    .number()
    .int()
    .min(0)
    .default(200)
    .describe('units that one answer of the assistant can cost before it stops and asks'),
  ATOLL_AI_CONVERSATION_UNITS: z.coerce
    .number()
    .int()
    .min(0)
    .default(1_000)
    .describe('units that one conversation with the assistant can cost before a new one has to be begun'),
  STRIPE_SECRET_KEY: optional.describe('secret key of a Stripe account: people buy units with it'),
  STRIPE_WEBHOOK_SECRET: optional.describe(
    'signing secret of the webhook endpoint ATOLL_URL/api/atoll/v1/payments/stripe/events in that account',
  ),
  STRIPE_API_URL: webAddress.default('https://api.stripe.com').describe('where Stripe answers'),
  ATOLL_EXCHANGES: onOff('off').describe('on lets people connect exchanges; without it they trade on the demo only'),
  ATOLL_EXCHANGE_ADDRESS: z
    .string()
    .max(100)
    .default('')
    .describe('the address this server calls exchanges from; shown to people who restrict a key to it'),
  BINANCE_URL: webAddress.default('https://api.binance.com').describe('where Binance answers'),
  BINANCE_STREAM_URL: z
    .url({ protocol: /^wss?$/ })
    .default('wss://stream.binance.com:9443')
    .describe('where Binance streams prices'),
  BINANCE_TESTNET_URL: webAddress.default('https://testnet.binance.vision').describe('where its testnet answers'),
  BINANCE_TESTNET_STREAM_URL: z
    .url({ protocol: /^wss?$/ })
    .default('wss://stream.testnet.binance.vision')
    .describe('where its testnet streams prices'),
  SLACK_API_URL: webAddress.default('https://slack.com/api').describe('where reports are delivered to Slack'),
  ATOLL_PRIVATE_TARGETS: hostList.describe(
    'hosts (with their port if it is not the usual one) in your own network that webhooks may reach; none by default',
  ),
  SLACK_SIGNING_SECRET: optional.describe('signing secret of the Slack app'),
});

export type Environment = z.infer<typeof environment>;
