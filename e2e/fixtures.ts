import { type BrowserContext, test as base, chromium, expect, type Page } from '@playwright/test';
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

interface Fixtures {
  /** Signs a new person up in this browser, by the API: for journeys that begin behind the sign-in. */
  signedUp: Person;
  /** Signs the administrator in in this browser. */
  asAdmin: undefined;
}

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
      const server = await startServer({
        ...stripe.env,
        ATOLL_AI_URL: models.url,
        ATOLL_AI_LOCAL: 'off',
        SLACK_API_URL: `${chats.url}/slack`,
        TELEGRAM_API_URL: `${chats.url}/telegram`,
        ATOLL_ADMIN_EMAIL: adminCredentials.email,
        ATOLL_ADMIN_PASSWORD: adminCredentials.password,
        TELEGRAM_BOT_TOKEN: '12345:test-bot-token',
        CHROMIUM_PATH: process.env.CHROMIUM_PATH || chromium.executablePath(),
      });
      stripe.webhook = `${server.url}/api/atoll/v1/payments/stripe/events`;
      await use(server);
      await server.stop();
      await stripe.close();
      await models.close();
    },
    { scope: 'worker' },
  ],
  baseURL: ({ server }, use) => use(server.url),
  signedUp: async ({ context, baseURL }, use) => {
    const person = newPerson();
    await signUp(context, baseURL ?? '', person);
    await use(person);
  },
  asAdmin: async ({ context, baseURL }, use) => {
    const answer = await context.request.post(`${baseURL}/api/atoll/v1/sign_in`, { data: adminCredentials });
    expect(answer.status()).toBe(200);
    await use(undefined);
  },
});

export async function signUp(context: BrowserContext, url: string, { email, userName }: Person): Promise<void> {
  const data = { email, password, user_name: userName, first_name: 'Ada', last_name: 'Lovelace' };
  const answer = await context.request.post(`${url}/api/atoll/v1/sign_up`, { data });
  expect(answer.status()).toBe(200);
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
