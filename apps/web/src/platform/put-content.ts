import type { UploadKind } from '@atoll/contract/uploads/kinds';
import { ApiError } from './api-error.ts';
import { client } from './client.ts';
import { authHeaders } from './credentials.ts';
import { type Patience, patiently } from './patience.ts';

type Slot = Awaited<ReturnType<typeof client.uploads.create>>;

interface PutOptions {
  kind?: UploadKind;
  signal?: AbortSignal;
  /** Bytes sent so far. */
  onProgress?(sent: number): void;
  /** Makes the upload wait for a lost connection, and continue where it stopped. */
  onWaiting?(isWaiting: boolean): void;
  /** Kept by callers that may retry: the next try continues this upload. */
  resume?: { slot?: Slot };
}

/** Larger content is sent in parts, so that a lost connection costs one of them at most. */
const partSize = 8 * 1024 ** 2;

/** Requests a slot, uploads the content, and returns the id by which it is used (spec section 4). */
export async function putContent(content: Blob, name: string, options: PutOptions = {}): Promise<string> {
  const { kind, signal, onWaiting, resume = {} } = options;
  const patience: Patience | undefined = onWaiting && { signal, onWaiting };
  const asked = { client_name: name, client_mime_type: content.type, kind };
  const isContinued = resume.slot !== undefined;
  resume.slot ??= await patiently(() => client.uploads.create(asked, { signal }), patience);
  const { slot } = resume;
  if (content.size > slot.max_size) {
    throw new Error(`“${name}” is larger than the ${Math.floor(slot.max_size / 1024 ** 2)} MB that one file may have.`);
  }
  let progress = { received: 0, is_complete: false };
  let isKnown = !isContinued;
  while (!progress.is_complete) {
    await patiently(async () => {
      if (!isKnown) progress = await standingOf(resume, signal);
      if (progress.is_complete) return;
      isKnown = false;
      progress = await transmit(slot, content, progress.received, options);
      isKnown = true;
    }, patience);
  }
  return slot.upload_id;
}

async function standingOf(resume: { slot?: Slot }, signal?: AbortSignal) {
  try {
    return await client.uploads.status({ id: resume.slot?.upload_id ?? '' }, { signal });
  } catch (error) {
    // The server deletes an unfinished upload after a day, so the next try starts again.
    if (error instanceof ApiError && error.status === 404) resume.slot = undefined;
    throw error;
  }
}

interface Progress {
  received: number;
  is_complete: boolean;
}

/** Sends the next part, or all of a small content. `fetch` cannot report upload progress, `XMLHttpRequest` can. */
function transmit(slot: Slot, content: Blob, from: number, { signal, onProgress }: PutOptions): Promise<Progress> {
  const { size } = content;
  const end = Math.min(size, from + partSize);
  const range = from === end ? `bytes */${size}` : `bytes ${from}-${end - 1}/${size}`;
  const isWhole = from === 0 && end === size;
  const url = new URL(slot.url, location.origin);
  const own = url.origin === location.origin ? authHeaders() : {};
  const headers = { ...slot.headers, ...own, ...(isWhole ? {} : { 'content-range': range }) };
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(slot.method, url.href);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => onProgress?.(from + event.loaded);
    request.onload = () => {
      if (request.status < 300) resolve(JSON.parse(request.responseText));
      else reject(refusalOf(request));
    };
    // The same kind of error as from fetch, so that it gets the same message.
    request.onerror = () => reject(new TypeError('The upload was interrupted'));
    request.onabort = () => reject(new DOMException('The upload was cancelled', 'AbortError'));
    if (signal?.aborted) return request.onabort(new ProgressEvent('abort'));
    signal?.addEventListener('abort', () => request.abort());
    request.send(content.slice(from, end));
  });
}

function refusalOf(request: XMLHttpRequest): ApiError {
  const requestId = request.getResponseHeader('x-request-id');
  try {
    const { message, code = 'unknown-http-error', fields = {}, details = {} } = JSON.parse(request.responseText);
    return new ApiError({ message: String(message), status: request.status, code, fields, details }, { requestId });
  } catch {
    const message = `Error reading from response body ${request.status}`;
    return new ApiError(
      { message, status: request.status, code: 'unknown-http-error', fields: {}, details: {} },
      { requestId, isReadable: false },
    );
  }
}
