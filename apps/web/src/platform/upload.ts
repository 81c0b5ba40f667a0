import { putContent } from './put-content.ts';

/** Spec section 5: pictures. The server checks it again. */
export const pictureLimit = 5 * 1024 * 1024;
export const pictureTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/svg+xml'];

/** Returns the id by which the picture is used. */
export async function uploadPicture(file: File): Promise<string> {
  const refusal = refusePicture(file);
  if (refusal) throw new Error(refusal);
  return putContent(file, file.name, { kind: 'picture' });
}

/** Spec section 5: pictures and videos of a project. */
export const mediaLimit = 25 * 1024 * 1024;
export const mediaTypes = [...pictureTypes, 'video/mp4'];

export async function uploadMedia(file: File): Promise<string> {
  if (!mediaTypes.includes(file.type)) throw new Error('Choose a picture, or a video in MP4.');
  if (file.size > mediaLimit) throw new Error('Choose a picture or a video of at most 25 MB.');
  return putContent(file, file.name, { kind: 'media' });
}

export function refusePicture(file: Pick<File, 'size' | 'type'>): string | null {
  if (!pictureTypes.includes(file.type)) return 'Choose a picture: PNG, JPEG, GIF, WebP, AVIF or SVG.';
  return file.size > pictureLimit ? 'Choose a picture of at most 5 MB.' : null;
}
