import { client } from './client.ts';
import { authHeaders } from './credentials.ts';
import { send } from './http.ts';

/** Spec section 5: pictures. The server checks it again. */
export const pictureLimit = 5 * 1024 * 1024;
export const pictureTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/svg+xml'];

/** Asks for a place, puts the content there, and answers the id by which it is used. */
export async function uploadPicture(file: File): Promise<string> {
  const refusal = refusePicture(file);
  if (refusal) throw new Error(refusal);
  const slot = await client.uploads.create({ client_name: file.name, client_mime_type: file.type });
  const url = new URL(slot.url, location.origin);
  const own = url.origin === location.origin ? authHeaders() : {};
  await send(url.href, { method: slot.method, headers: { ...slot.headers, ...own }, body: file });
  return slot.upload_id;
}

export function refusePicture(file: Pick<File, 'size' | 'type'>): string | null {
  if (!pictureTypes.includes(file.type)) return 'Choose a picture: PNG, JPEG, GIF, WebP, AVIF or SVG.';
  return file.size > pictureLimit ? 'Choose a picture of at most 5 MB.' : null;
}
