import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { AppError } from '../../platform/errors.ts';

/** A picture of more pixels than this is a decompression bomb, not a logo. */
const maxPixels = 40_000_000;
const notAPicture = () =>
  new AppError('unprocessable_entity', 'This is not a picture that can be read (PNG, JPEG, WebP, GIF, AVIF or SVG).');

export interface Picture {
  content: Buffer;
  mimeType: string;
}

export interface PictureBox {
  width: number;
  height: number;
  isSquare: boolean;
}

/** Reads what was uploaded, whatever its name says, and writes it anew: no metadata, no second format hidden in it. */
export async function normalisePicture(content: Readable, box: PictureBox): Promise<Picture> {
  const original = await buffer(content);
  const image = sharp(original, { limitInputPixels: maxPixels, animated: false, density: 144 });
  const metadata = await image.metadata().catch(() => {
    throw notAPicture();
  });
  if (!metadata.width || !metadata.height) throw notAPicture();
  const resized = image.rotate().resize({
    width: box.width,
    height: box.height,
    fit: box.isSquare ? 'cover' : 'inside',
    withoutEnlargement: !box.isSquare,
  });
  // PNG for what may end up in a mail, where many readers know nothing newer.
  const encoded = box.isSquare ? resized.webp({ quality: 88 }) : resized.png({ compressionLevel: 9 });
  const output = await encoded.toBuffer().catch(() => {
    throw notAPicture();
  });
  return { content: output, mimeType: box.isSquare ? 'image/webp' : 'image/png' };
}
