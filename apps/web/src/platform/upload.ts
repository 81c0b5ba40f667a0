import { putContent } from './put-content.ts';

/** Spec section 5: pictures. The server checks it again. */
export const pictureLimit = 5 * 1024 * 1024;
export const pictureTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/svg+xml'];

/** Answers the id by which the picture is used. */
export async function uploadPicture(file: File): Promise<string> {
  const refusal = refusePicture(file);
  if (refusal) throw new Error(refusal);
  return putContent(file, file.name);
}

export function refusePicture(file: Pick<File, 'size' | 'type'>): string | null {
  if (!pictureTypes.includes(file.type)) return 'Choose a picture: PNG, JPEG, GIF, WebP, AVIF or SVG.';
  return file.size > pictureLimit ? 'Choose a picture of at most 5 MB.' : null;
}
