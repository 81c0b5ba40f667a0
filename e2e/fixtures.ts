import { join } from 'node:path';
import {
  type APIRequestContext,
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  chromium,
  expect,
  type Page,
} from '@playwright/test';
import { startTestStripe } from '../apps/server/src/features/payments/test-stripe.ts';
import { startScriptedServer } from '../packages/agent/src/scripted/server.ts';
import { type Chats, startChats } from './chats.ts';
import { startServer, type TestServer } from './server.ts';

interface WorkerFixtures {
  server: TestServer;
  /** What stands for Slack and Telegram. */
  chats: Chats;
}

interface Person {
  email: string;
  userName: string;
}

/** Somebody else, in a browser of their own. */
export interface Other extends Person {
  id: string;
  context: BrowserContext;
  page: Page;
}

interface Fixtures {
  /** Opens a browser of its own for somebody without an account. */
  stranger: (options?: BrowserContextOptions) => Promise<Page>;
  /** Opens one for a new person. */
  another: (options?: BrowserContextOptions) => Promise<Other>;
  /** Starts a server of the journey's own, and opens a browser there. */
  own: (env?: Record<string, string>) => Promise<{ server: TestServer; page: Page }>;
  /** Signs a new person up in this browser, by the API: for journeys that begin behind the sign-in. */
  signedUp: Person;
  /** Signs the administrator in in this browser. */
  asAdmin: undefined;
}

export const api = '/api/atoll/v1';
export const phone = { width: 390, height: 844 };
export const password = 'correct horse battery';
let people = 0;

export const newPerson = (): Person => {
  const userName = `person_${process.pid}_${people++}`;
  return { userName, email: `${userName}@example.org` };
};

export const adminCredentials = { email: 'admin@example.org', password: 'admin password here' };

export const test = base.extend<Fixtures, WorkerFixtures>({
  chats: [
    // biome-ignore lint/correctness/noEmptyPattern: the test runner reads the parameter's shape.
    async ({}, use) => {
      const chats = await startChats();
      await use(chats);
      chats.close();
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ chats }, use) => {
      const stripe = await startTestStripe();
      const models = await startScriptedServer();
      const env = {
        ...stripe.env,
        ATOLL_AI_URL: models.url,
        ATOLL_AI_LOCAL: 'off',
        SLACK_API_URL: `${chats.url}/slack`,
        TELEGRAM_API_URL: `${chats.url}/telegram`,
        ATOLL_ADMIN_EMAIL: adminCredentials.email,
        ATOLL_ADMIN_PASSWORD: adminCredentials.password,
        TELEGRAM_BOT_TOKEN: '12345:test-bot-token',
        CHROMIUM_PATH: process.env.CHROMIUM_PATH || chromium.executablePath(),
      };
      const server = await startServer(env, join(import.meta.dirname, 'metered-server.ts'));
      stripe.webhook = `${server.url}/api/atoll/v1/payments/stripe/events`;
      await use(server);
      await server.stop();
      await stripe.close();
      await models.close();
    },
    { scope: 'worker' },
  ],
  baseURL: ({ server }, use) => use(server.url),
  stranger: async ({ browser }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (options) => {
      const context = await browser.newContext(options);
      contexts.push(context);
      return context.newPage();
    });
    for (const context of contexts) await context.close();
  },
  another: ({ stranger, baseURL }, use) =>
    use(async (options) => {
      const page = await stranger(options);
      const person = newPerson();
      const id = await signUp(page.context(), baseURL ?? '', person);
      return { ...person, id, context: page.context(), page };
    }),
  own: async ({ browser }, use) => {
    const ends: (() => Promise<void>)[] = [];
    await use(async (env) => {
      const server = await startServer(env);
      const context = await browser.newContext({ baseURL: server.url });
      ends.push(() => context.close(), server.stop);
      return { server, page: await context.newPage() };
    });
    for (const end of ends) await end();
  },
  signedUp: async ({ context, baseURL }, use) => {
    const person = newPerson();
    await signUp(context, baseURL ?? '', person);
    await use(person);
  },
  asAdmin: async ({ context }, use) => {
    await call(context.request, 'POST', '/sign_in', adminCredentials);
    await use(undefined);
  },
});

/** Answers the id of the new person. */
export async function signUp(context: BrowserContext, url: string, { email, userName }: Person): Promise<string> {
  const data = { email, password, user_name: userName, first_name: 'Ada', last_name: 'Lovelace' };
  const answer = await context.request.post(`${url}${api}/sign_up`, { data });
  expect(answer.status()).toBe(200);
  return (await answer.json()).id;
}

/** Asks the API for what a journey begins with. */
export async function call(request: APIRequestContext, method: string, path: string, data?: object) {
  const answer = await request.fetch(`${api}${path}`, { method, ...(data ? { data } : {}) });
  expect(answer.status(), `${method} ${path}: ${await answer.text()}`).toBe(200);
  return answer.json();
}
export const makeProject = async (request: APIRequestContext, name = 'Harbour', more: object = {}): Promise<string> =>
  (await call(request, 'POST', '/notebooks', { name, ...more })).id;

export async function makeUpload(request: APIRequestContext, name: string, content: string | Buffer) {
  const slot = await call(request, 'POST', '/upload', { client_name: name });
  expect((await request.put(slot.url, { data: Buffer.from(content), headers: slot.headers })).ok()).toBe(true);
  return { upload_id: slot.upload_id as string };
}

export async function makeFile(request: APIRequestContext, project: string, name: string, content: string | Buffer) {
  const data = { name, ...(await makeUpload(request, name, content)) };
  return (await call(request, 'POST', `/notebooks/${project}/files-contents`, data)).id as string;
}
export const share = (request: APIRequestContext, project: string, userId: string, permissions: string[]) =>
  call(request, 'POST', `/notebooks/${project}/user_permissions`, { user_id: userId, permissions });
export const publish = (request: APIRequestContext, file: string, about: object) =>
  call(request, 'PATCH', `/publications/files/${file}`, { access_level: 'public', ...about });

/** Opens a page and waits until it is live. */
export async function openLive(page: Page, path: string): Promise<void> {
  const connected = page.waitForEvent('websocket');
  await page.goto(path);
  await (await connected).waitForEvent('framereceived');
}

/** Collects what a browser would complain about; the caller expects it to be empty at the end. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return complaints;
}

export { expect };
