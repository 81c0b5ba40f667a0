import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  apiPrefix,
  type ErrorBody,
  type Notification,
  type ProjectDetail,
  type ProjectFile,
  type Session,
} from '@atoll/contract';
import { createHost, fakeKernels } from '@atoll/kernels';
import { testPython } from '@atoll/kernels/test-python';
import { eq } from 'drizzle-orm';
import type { InjectOptions } from 'fastify';
import { afterAll, onTestFinished } from 'vitest';
import { createApp } from '../app.ts';
import { readConfig } from '../config.ts';
import { sessions } from '../features/sessions/table.ts';
import { passkeys } from '../features/sign-in/table.ts';
import { users } from '../features/users/table.ts';
import { newId } from '../platform/db/columns.ts';
import type { OpenDatabase } from '../platform/db/database.ts';
import { createLimits } from '../platform/http/limits.ts';
import { type Kernels, kernelsHere } from '../platform/kernels/kernels.ts';
import { createLog, type Log } from '../platform/log.ts';
import type { Mail } from '../platform/mail/mailer.ts';
import type { MessageBus } from '../platform/messages/bus.ts';
import { freshDatabase } from './fresh-database.ts';
import { notebook } from './set-ups/notebooks.ts';

export interface Call {
  body?: unknown;
  query?: Record<string, string | string[]>;
  token?: string | null;
  apiKey?: string;
  headers?: Record<string, string>;
}

export interface Answer<Body> {
  status: number;
  body: Body;
  headers: Record<string, string | string[] | number | undefined>;
}

interface TestClock {
  time: number;
  advance(ms: number): void;
}

interface TestOptions {
  env?: Record<string, string>;
  /** Rate limits as in production; by default they are out of the way. */
  strictLimits?: boolean;
  /** For an app that several tests share: the caller closes it. */
  keepOpen?: boolean;
  log?: Log;
  /** Send mail as configured instead of keeping it for the test. */
  useConfiguredMail?: boolean;
  /** A second server beside this one, on its database and with its clock. */
  beside?: { database: OpenDatabase; clock: TestClock };
  bus?: MessageBus;
  /** Regular work begins by itself, by the test's clock. */
  hasSchedules?: boolean;
  /** Real ones, in a process of their own; by default kernels in memory, which understand a few lines. */
  kernels?: Kernels | 'real';
  /** A built web app, or as much of one as the test needs. */
  webFolder?: string;
}

export const testSecretKey = '0123456789abcdef'.repeat(4);
export const testPassword = 'correct horse battery';

/** The whole server in memory, on a fresh database, with a clock and a mailbox that the test holds. */
export async function createTestApp(options: TestOptions = {}) {
  const dataFolder = mkdtempSync(join(tmpdir(), 'atoll-test-'));
  const config = readConfig({
    ATOLL_DATA: dataFolder,
    ATOLL_URL: 'http://localhost:4000',
    ATOLL_SECRET_KEYS: testSecretKey,
    ATOLL_LOG_LEVEL: process.env.TEST_LOG ?? 'silent',
    ATOLL_PYTHON: testPython,
    ATOLL_AI_LOCAL: 'off',
    ...options.env,
  });
  const database = options.beside ? { ...options.beside.database, close: async () => {} } : await freshDatabase();
  const clock: TestClock = options.beside?.clock ?? {
    time: Date.UTC(2026, 10, 15, 12),
    advance(ms) {
      this.time += ms;
    },
  };
  const mails: Mail[] = [];
  const announcements: string[] = [];
  const app = await createApp({
    config,
    database,
    log: options.log ?? createLog(config.log),
    now: () => new Date(clock.time),
    ...(options.useConfiguredMail ? {} : { mail: { send: async (mail: Mail) => void mails.push(mail) } }),
    ...(options.bus ? { bus: options.bus } : {}),
    ...(options.kernels === 'real' ? {} : { kernels: options.kernels ?? (await fakeKernelsIn(dataFolder)) }),
    limits: createLimits(options.strictLimits ? 1 : 1_000, () => clock.time),
    announce: (_what, text) => announcements.push(text),
    hasSchedules: options.hasSchedules ?? false,
    webFolder: options.webFolder ?? null,
  });
  await app.start();
  const close = async () => {
    await app.stop();
    // A process of it that is just ending may still write there.
    rmSync(dataFolder, { recursive: true, force: true, maxRetries: 5 });
  };
  if (!options.keepOpen) onTestFinished(close);

  async function call<Body = ErrorBody>(
    method: string,
    path: string,
    { body, query, token, apiKey, headers }: Call = {},
  ): Promise<Answer<Body>> {
    const request: InjectOptions = {
      method: method as 'GET',
      url: path.startsWith('/api/') ? path : apiPrefix + path,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(apiKey ? { 'x-api-key': apiKey } : {}),
        ...headers,
      },
      ...(query ? { query } : {}),
      ...(body === undefined ? {} : { payload: body as object }),
    };
    const response = await app.http.inject(request);
    const isJson = String(response.headers['content-type']).includes('json');
    return {
      status: response.statusCode,
      body: (isJson ? response.json() : response.body) as Body,
      headers: response.headers,
    };
  }

  const get = <Body = ErrorBody>(token: string | null, path: string, query?: Call['query']) =>
    call<Body>('GET', path, { token, ...(query ? { query } : {}) });
  const post = <Body = ErrorBody>(token: string | null, path: string, body?: object) =>
    call<Body>('POST', path, { token, body });
  const patch = <Body = ErrorBody>(token: string | null, path: string, body: object) =>
    call<Body>('PATCH', path, { token, body });

  /** Until the events of what was done so far are delivered and their jobs are done, and what these have brought about. */
  async function settled(): Promise<void> {
    for (let turn = 0; turn < 2; turn++) {
      app.relay.nudge();
      await app.relay.settled();
      await app.jobs.settled();
    }
  }

  const balance = async (token: string) => (await get<{ balance: number }>(token, '/v1/balance')).body.balance;
  const notifications = async (token: string) =>
    (await get<{ entries: Notification[] }>(token, '/v1/notifications')).body.entries;
  const share = (token: string, projectId: string, userId: string, permissions: string[]) =>
    post<{ id: string }>(token, `/v1/notebooks/${projectId}/user_permissions`, { user_id: userId, permissions });

  /** An offer that is accepted. */
  async function handOver(from: { token: string }, to: { id: string; token: string }, projectId: string) {
    const path = `/v1/notebooks/${projectId}`;
    const offered = await patch(from.token, `${path}/owner`, { user_id: to.id });
    if (offered.status !== 200) throw new Error(`offer answered ${offered.status}: ${JSON.stringify(offered.body)}`);
    const { status, body } = await post<ProjectDetail>(to.token, `${path}/offer/accept`);
    if (status !== 200) throw new Error(`accept answered ${status}: ${JSON.stringify(body)}`);
    return body;
  }

  /** Waits for the events of what was done so far, then answers the mails they sent. */
  async function deliveredMails(): Promise<Mail[]> {
    app.relay.nudge();
    await app.relay.settled();
    return mails;
  }

  async function person(name = `user_${newId().slice(-12)}`): Promise<Session & { token: string }> {
    const answer = await call<Session>('POST', '/v1/sign_up', {
      body: { email: `${name}@example.org`, password: testPassword, user_name: name, first_name: 'Ada' },
    });
    if (answer.status !== 200) throw new Error(`sign_up answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body as Session & { token: string };
  }

  /** Signs in with the link the server printed when it started. */
  async function admin(): Promise<Session & { token: string }> {
    const link = announcements[0] ?? '';
    const answer = await call<{ session: Session }>('POST', '/v1/sign_in/link/redeem', {
      body: { token: link.split('#token=')[1] },
    });
    return answer.body.session as Session & { token: string };
  }

  async function guest(): Promise<Session & { token: string }> {
    return (await call<Session>('GET', '/v1/me')).body as Session & { token: string };
  }

  const { db } = database;
  const promote = (id: string) => db.update(users).set({ role: 'admin' }).where(eq(users.id, id));
  const suspend = (id: string, message: string) =>
    db
      .update(users)
      .set({ suspendedAt: new Date(clock.time), suspensionMessage: message })
      .where(eq(users.id, id));
  const confirm = (id: string) =>
    db
      .update(users)
      .set({ emailConfirmedAt: new Date(clock.time) })
      .where(eq(users.id, id));

  /** A session in which an admin acts as this person, or as somebody new. */
  async function impersonatedToken(subjectId?: string): Promise<string> {
    const [subject, actor] = [subjectId ?? (await person()).id, await person()];
    await promote(actor.id);
    const answer = await call<Session>('POST', `/v1/admin/users/${subject}/mask`, {
      token: actor.token,
      body: { reason: 'To see what they see' },
    });
    if (!answer.body.token) throw new Error(`mask answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body.token;
  }

  async function passkeyOf(userId: string): Promise<string> {
    const fields = { userId, credentialId: newId(), publicKey: new Uint8Array(1), counter: 0, name: 'Laptop' };
    const [row] = await db
      .insert(passkeys)
      .values({ ...fields, createdAt: new Date(clock.time) })
      .returning({ id: passkeys.id });
    return row?.id ?? '';
  }

  /** Somebody who signed in too long ago for sensitive acts. */
  async function staleToken(): Promise<string> {
    const { id, token } = await person();
    const longAgo = new Date(clock.time - 3 * 60 * 60_000);
    await db.update(sessions).set({ authenticatedAt: longAgo }).where(eq(sessions.userId, id));
    return token;
  }

  /** Uploads some bytes and answers the upload's id. */
  async function upload(token: string, content: string | Buffer, clientName = 'file.txt'): Promise<string> {
    const slot = await call<{ upload_id: string; url: string }>('POST', '/v1/upload', {
      token,
      body: { client_name: clientName },
    });
    await app.http.inject({
      method: 'PUT',
      url: slot.body.url,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
      payload: content,
    });
    return slot.body.upload_id;
  }

  const createFile = async (token: string, projectId: string, name: string, content: string | Buffer) =>
    post<ProjectFile>(token, `/v1/notebooks/${projectId}/files-contents`, {
      name,
      upload_id: await upload(token, content, 'x'),
    });

  async function project(token: string, body: object = {}): Promise<ProjectDetail> {
    const answer = await call<ProjectDetail>('POST', '/v1/notebooks', { token, body: { name: 'Tides', ...body } });
    if (answer.status !== 200) throw new Error(`create answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** A project with a notebook of these cells, which is its main file. */
  async function notebookProject(token: string, cells: object[]) {
    const made = await project(token, { upload_id: await upload(token, notebook(...cells), 'main.ipynb') });
    return { ...made, fileId: made.default_file_id ?? '' };
  }

  return {
    get,
    post,
    patch,
    settled,
    balance,
    notifications,
    share,
    handOver,
    db,
    ctx: app.system(),
    upload,
    createFile,
    project,
    notebookProject,
    app,
    config,
    database,
    close,
    promote,
    suspend,
    confirm,
    staleToken,
    impersonatedToken,
    passkeyOf,
    clock,
    mails,
    deliveredMails,
    announcements,
    call,
    person,
    admin,
    guest,
  };
}

export type TestApp = Awaited<ReturnType<typeof createTestApp>>;

/** For all tests of a file. */
export async function createSharedApp(options: TestOptions = {}): Promise<TestApp> {
  const app = await createTestApp({ ...options, keepOpen: true });
  afterAll(app.close);
  return app;
}

/** The token in the link of the newest mail. */
export function tokenIn(mail: Mail | undefined): string {
  const token = /#token=([\w-]+)/.exec(mail?.text ?? '')?.[1];
  if (!token) throw new Error('There is no link in this mail');
  return token;
}

async function fakeKernelsIn(runFolder: string): Promise<Kernels> {
  const host = await createHost({ providers: [fakeKernels()], runFolder });
  return kernelsHere({ ...host, hostId: randomUUID() });
}
