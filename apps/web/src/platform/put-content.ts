import { ApiError } from './api-error.ts';
import { client } from './client.ts';
import { authHeaders } from './credentials.ts';

interface PutOptions {
  signal?: AbortSignal;
  /** Bytes sent so far. */
  onProgress?(sent: number): void;
}

/** Asks for a place, puts the content there, and answers the id by which it is used (spec section 4). */
export async function putContent(content: Blob, name: string, options: PutOptions = {}): Promise<string> {
  const asked = { client_name: name, client_mime_type: content.type };
  const slot = await client.uploads.create(asked, { signal: options.signal });
  if (content.size > slot.max_size) {
    throw new Error(`“${name}” is larger than the ${Math.floor(slot.max_size / 1024 ** 2)} MB that one file may have.`);
  }
  const url = new URL(slot.url, location.origin);
  const own = url.origin === location.origin ? authHeaders() : {};
  await transmit(url.href, slot.method, { ...slot.headers, ...own }, content, options);
  return slot.upload_id;
}

/** `fetch` cannot tell how much has been sent; this can. */
function transmit(
  url: string,
  method: string,
  headers: Record<string, string>,
  content: Blob,
  { signal, onProgress }: PutOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => onProgress?.(event.loaded);
    request.onload = () => (request.status < 300 ? resolve() : reject(refusalOf(request)));
    // The same kind of error as fetch gives, so that it is told in the same words.
    request.onerror = () => reject(new TypeError('The upload was interrupted'));
    request.onabort = () => reject(new DOMException('The upload was cancelled', 'AbortError'));
    signal?.addEventListener('abort', () => request.abort());
    request.send(content);
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
