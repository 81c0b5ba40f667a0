import type { Point } from '@atoll/notebook';
import { newCellId } from '../notebook/model.ts';
import { insertCell } from './actions.ts';
import type { Board } from './board.ts';

const longestSide = 2_000;
const largestFile = 50 * 1024 ** 2;
const kinds = /^image\/(png|jpe?g|gif|webp)$/;

/** Pictures become text cells with an attachment, as in Jupyter, so that they are in the notebook, too. */
export async function takePictures(board: Board, files: readonly File[], at: Point | null) {
  const pictures = files.filter(({ type }) => kinds.test(type));
  const { notify } = board.store.options;
  if (pictures.length === 0) return notify('Only PNG, JPEG, GIF and WebP pictures can be placed here.', true);
  let shift = 0;
  for (const file of pictures) {
    try {
      const { data, type, width, height } = await drawn(file);
      const name = `picture-${newCellId().slice(0, 8)}.${type.split('/')[1]}`;
      const view = board.getView();
      const w = Math.min(width, 640);
      const h = Math.max(32, Math.round((w * height) / width));
      const centre = at ?? { x: view.x + view.w / 2, y: view.y + view.h / 2 };
      const place = {
        x: Math.round(centre.x - w / 2 + shift),
        y: Math.round(centre.y - h / 2 + shift),
        w,
        h,
        plain: true,
      };
      insertCell(board, 'markdown', place, {
        source: `![](attachment:${name})`,
        attachments: { [name]: { [type]: data } },
      });
      shift += 24;
    } catch {
      notify(`Could not read ${file.name}. The picture may be damaged or too large.`, true);
    }
  }
}

/**
 * Scales a picture down to the size at which it is seen: a photo of 200 megapixels would be in every copy of the notebook.
 */
async function drawn(file: File): Promise<{ data: string; type: string; width: number; height: number }> {
  if (file.size > largestFile) throw new Error('Too large');
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, longestSide / Math.max(picture.width, picture.height));
  const [width, height] = [
    Math.max(1, Math.round(picture.width * scale)),
    Math.max(1, Math.round(picture.height * scale)),
  ];
  const isSmall = scale === 1 && file.size < 400_000;
  if (isSmall) {
    picture.close();
    return { data: await base64Of(file), type: file.type, width, height };
  }
  const surface = new OffscreenCanvas(width, height);
  surface.getContext('2d')?.drawImage(picture, 0, 0, width, height);
  picture.close();
  const blob = await surface.convertToBlob({ type: 'image/webp', quality: 0.85 });
  return { data: await base64Of(blob), type: blob.type, width, height };
}

const base64Of = async (blob: Blob): Promise<string> => {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += 32_768) text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  return btoa(text);
};
