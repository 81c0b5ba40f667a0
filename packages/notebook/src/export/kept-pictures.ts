import { type Fields, fieldsOf } from '../fields.ts';
import { readNotebook } from '../file/read.ts';
import { writeNotebook } from '../file/write.ts';

/** A picture of another server, or the reason why it is missing. */
export type KeptPicture = { url: string } | { problem: string };
export type KeptPictures = Record<string, KeptPicture>;

const picture = /^data:image\/(?:png|jpeg|gif|webp|svg\+xml);base64,[A-Za-z0-9+/=]*$/;

/** The pictures that a published version keeps with its notebook. Anyone can write a file, so only pictures count. */
export function keptPictures(metadata: Fields): Map<string, KeptPicture> {
  const found = Object.entries(fieldsOf(fieldsOf(metadata.atoll).pictures));
  return new Map(
    found.flatMap(([address, value]): [string, KeptPicture][] => {
      const { url, problem } = fieldsOf(value);
      if (typeof url === 'string' && picture.test(url)) return [[address, { url }]];
      return typeof problem === 'string' ? [[address, { problem }]] : [];
    }),
  );
}

/** Adds the pictures to the file, and changes nothing else of it. */
export function withKeptPictures(text: string, pictures: KeptPictures): string {
  const { metadata, cells } = readNotebook(text);
  const { pictures: _, ...atoll } = fieldsOf(metadata.atoll);
  const kept = Object.keys(pictures).length > 0 ? { ...atoll, pictures } : atoll;
  const unchanged = cells.map((cell) => ({ ...cell, shown: null }));
  return writeNotebook(text, { metadata: { ...metadata, atoll: kept }, cells: unchanged });
}
