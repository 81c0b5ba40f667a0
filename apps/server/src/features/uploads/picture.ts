import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { invalidField } from '../../platform/errors.ts';

/** A picture of more pixels than this is a decompression bomb, not a logo. */
const maxPixels = 25_000_000;
/** Drawing is done in a moment or not at all; nobody may occupy the server with one picture. */
const drawSeconds = 5;
const notAPicture = (field: string) =>
  invalidField(field, 'This is not a picture that can be read (PNG, JPEG, WebP, GIF or AVIF).');

export interface Picture {
  content: Buffer;
  mimeType: string;
}

export interface PictureBox {
  width: number;
  height: number;
  isSquare: boolean;
  /** PNG by default, for what may end up in a mail, where many readers know nothing newer. */
  format?: 'webp' | 'png';
  /** A drawing program in disguise: taken from administrators only. */
  mayBeSvg?: boolean;
}

/** Reads what was uploaded, whatever its name says, and writes it anew: no metadata, no second format hidden in it. */
export async function normalisePicture(content: Readable, box: PictureBox, field: string): Promise<Picture> {
  const original = await buffer(content);
  const { default: sharp } = await import('sharp');
  const image = sharp(original, { limitInputPixels: maxPixels, animated: false, density: 144 });
  const metadata = await image.metadata().catch(() => {
    throw notAPicture(field);
  });
  if (!metadata.width || !metadata.height || (metadata.format === 'svg' && !box.mayBeSvg)) throw notAPicture(field);
  const resized = image.rotate().resize({
    width: box.width,
    height: box.height,
    fit: box.isSquare ? 'cover' : 'inside',
    withoutEnlargement: !box.isSquare,
  });
  const { format = box.isSquare ? 'webp' : 'png' } = box;
  const encoded = format === 'webp' ? resized.webp({ quality: 88 }) : resized.png({ compressionLevel: 9 });
  const output = await encoded
    .timeout({ seconds: drawSeconds })
    .toBuffer()
    .catch(() => {
      throw notAPicture(field);
    });
  return { content: output, mimeType: `image/${format}` };
}
