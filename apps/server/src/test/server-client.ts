import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Session } from '@atoll/contract';
import { codes, notebook } from './set-ups/notebooks.ts';

/** Calls to a server that runs as a process, in the name of the person whose token it is. */
export class ServerClient {
  readonly url: string;
  token: string;

  constructor(url: string, token = '') {
    this.url = url;
    this.token = token;
  }

  async call<Body>(method: string, path: string, body?: object): Promise<Body> {
    const answer = await fetch(`${this.url}/api/atoll${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Body;
  }
}

let people = 0;
/** A new person, in whose name the client calls from now on. */
export async function signUp(client: ServerClient): Promise<string> {
  const name = `person_${people++}`;
  const { token } = await client.call<Session>('POST', '/v1/sign_up', {
    email: `${name}@example.org`,
    password: 'correct horse battery',
    user_name: name,
  });
  client.token = token ?? '';
  return client.token;
}

/** A project with a notebook of these cells; answers its id. */
export async function notebookProject(client: ServerClient, sources: string[]): Promise<string> {
  const { upload_id, url } = await client.call<{ upload_id: string; url: string }>('POST', '/v1/upload', {
    client_name: 'main.ipynb',
  });
  const answer = await fetch(new URL(new URL(url, client.url).pathname, client.url), {
    method: 'PUT',
    headers: { authorization: `Bearer ${client.token}`, 'content-type': 'application/octet-stream' },
    body: notebook(...codes(sources)),
  });
  if (!answer.ok) throw new Error(`upload: ${answer.status}`);
  const { id } = await client.call<{ id: string }>('POST', '/v1/notebooks', { name: 'Tides', upload_id });
  return id;
}

/** The process that has the kernels of a server with this data folder, if one is known. */
export function kernelHostOf(folder: string): number | null {
  try {
    return JSON.parse(readFileSync(join(folder, 'kernels/host.json'), 'utf8')).pid;
  } catch {
    return null;
  }
}

export const isAlive = (pid: number) => {
  try {
    // A zombie nobody has waited for is no process any more.
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};
