import { joinPath } from '@atoll/contract/files/paths';
import { ApiError, isAbort, messageOf } from '../../platform/api-error.ts';
import { client } from '../../platform/client.ts';
import { patiently } from '../../platform/patience.ts';
import { putContent } from '../../platform/put-content.ts';

export interface Upload {
  id: number;
  projectId: string;
  path: string;
  size: number;
  sent: number;
  state: 'waiting' | 'sending' | 'done' | 'failed';
  /** In progress, but waiting for a connection. */
  isOffline?: boolean;
  problem?: string;
}

interface Job {
  content: File;
  abort: AbortController;
  /** The position at which the upload continues after a failure. */
  resume: NonNullable<Parameters<typeof putContent>[2]>['resume'];
  onDone(): void;
}

const atOnce = 3;
let uploads: readonly Upload[] = [];
let count = 0;
const jobs = new Map<number, Job>();
const listeners = new Set<() => void>();

export const allUploads = (): readonly Upload[] => uploads;
export function onUploads(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(next: readonly Upload[]): void {
  uploads = next;
  for (const listener of listeners) listener();
}
const patch = (id: number, change: Partial<Upload>) =>
  set(uploads.map((upload) => (upload.id === id ? { ...upload, ...change } : upload)));

export interface NewUpload {
  /** The path below the target folder. */
  name: string;
  content: File;
}

/** Uploads files a few at a time; it continues when the page is left. */
export function startUploads(projectId: string, folder: string, files: NewUpload[], onDone: () => void): void {
  const added = files.map(({ name, content }): Upload => {
    const id = count++;
    jobs.set(id, { content, abort: new AbortController(), resume: {}, onDone });
    return { id, projectId, path: joinPath(folder, name), size: content.size, sent: 0, state: 'waiting' };
  });
  set([...uploads, ...added]);
  next();
}

export function cancelUpload(id: number): void {
  jobs.get(id)?.abort.abort();
  jobs.delete(id);
  set(uploads.filter((upload) => upload.id !== id));
  next();
}

export function retryUpload(id: number): void {
  const job = jobs.get(id);
  if (!job) return;
  job.abort = new AbortController();
  patch(id, { state: 'waiting', problem: undefined });
  next();
}

/** Removes finished uploads from the list. */
export function clearUploads(projectId: string): void {
  for (const upload of uploads.filter((each) => each.projectId === projectId)) {
    if (upload.state === 'done' || upload.state === 'failed') cancelUpload(upload.id);
  }
}

function next(): void {
  const free = atOnce - uploads.filter(({ state }) => state === 'sending').length;
  for (const upload of uploads.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, free))) void run(upload);
}

async function run({ id, projectId, path }: Upload): Promise<void> {
  const job = jobs.get(id);
  if (!job) return;
  const { signal } = job.abort;
  const onWaiting = (isOffline: boolean) => patch(id, { isOffline });
  patch(id, { state: 'sending' });
  try {
    const upload_id = await putContent(job.content, job.content.name, {
      signal,
      onProgress: (sent) => patch(id, { sent: Math.min(sent, job.content.size), isOffline: false }),
      onWaiting,
      resume: job.resume,
    });
    const file = { id: projectId, name: path, upload_id };
    await patiently((attempt) => createFile(file, job.content.size, attempt, signal), { signal, onWaiting });
    patch(id, { state: 'done', sent: job.content.size });
    job.onDone();
  } catch (error) {
    if (!isAbort(error)) patch(id, { state: 'failed', isOffline: false, problem: messageOf(error) ?? '' });
  }
  next();
}

type NewFile = Parameters<typeof client.files.create>[0];

async function createFile(file: NewFile, size: number, attempt: number, signal: AbortSignal): Promise<void> {
  try {
    await client.files.create(file, { signal });
  } catch (error) {
    // The first try may have succeeded and only its answer was lost.
    if (attempt === 0 || !(error instanceof ApiError && error.fields.name)) throw error;
    const { files } = await client.files.tree({ id: file.id }, { signal });
    if (!files.some((each) => each.path === file.name && each.size === size)) throw error;
  }
}

window.addEventListener('beforeunload', (event) => {
  if (uploads.some(({ state }) => state === 'sending' || state === 'waiting')) event.preventDefault();
});
