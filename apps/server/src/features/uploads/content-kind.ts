import { extensionOf } from '@atoll/contract';
import type { ContentKind } from './table.ts';

/** So many bytes from the beginning are enough to tell. */
export const headLength = 4_096;

/** The bytes as text, one character each. */
const signatures: [ContentKind, (head: string) => boolean][] = [
  ['png', (head) => head.startsWith('\x89PNG\r\n\x1a\n')],
  ['jpeg', (head) => head.startsWith('\xff\xd8\xff')],
  ['gif', (head) => /^GIF8[79]a/.test(head)],
  ['webp', (head) => /^RIFF.{4}WEBP/s.test(head)],
  ['avif', (head) => brandsOf(head).some((brand) => brand === 'avif' || brand === 'avis')],
  ['mp4', (head) => brandsOf(head).some((brand) => /^(isom|iso\d|mp4\d|avc1|dash|M4V )$/.test(brand))],
  ['bmp', (head) => head.startsWith('BM') && head.startsWith('\0\0\0\0', 6)],
  ['ico', (head) => head.startsWith('\0\0\x01\0')],
  ['svg', isDrawing],
];

/** What the boxes at the head of a film or an AVIF picture say it can be read as. */
function brandsOf(head: string): string[] {
  if (!head.startsWith('ftyp', 4)) return [];
  const length = Buffer.from(head.slice(0, 4), 'latin1').readUInt32BE();
  return [head.slice(8, 12), ...(head.slice(16, Math.min(length, 256)).match(/.{4}/gs) ?? [])];
}

/** A drawing is text: it begins as one, and is not a page. */
function isDrawing(head: string): boolean {
  const text = head.replace(/^\xef\xbb\xbf/, '').trimStart();
  return text.startsWith('<') && !text.includes('\0') && !/^<(!doctype html|html|script|body)/i.test(text);
}

/** What the first bytes of a content say it is; null for everything that need not be told apart. */
export function contentKindOf(head: Uint8Array): ContentKind | null {
  const text = Buffer.from(head.subarray(0, headLength)).toString('latin1');
  return signatures.find(([, matches]) => matches(text))?.[0] ?? null;
}

const claims: Record<string, { kind: ContentKind; name: string }> = {
  png: { kind: 'png', name: 'a PNG picture' },
  apng: { kind: 'png', name: 'a PNG picture' },
  jpg: { kind: 'jpeg', name: 'a JPEG picture' },
  jpeg: { kind: 'jpeg', name: 'a JPEG picture' },
  gif: { kind: 'gif', name: 'a GIF picture' },
  webp: { kind: 'webp', name: 'a WebP picture' },
  svg: { kind: 'svg', name: 'an SVG drawing' },
  avif: { kind: 'avif', name: 'an AVIF picture' },
  bmp: { kind: 'bmp', name: 'a BMP picture' },
  ico: { kind: 'ico', name: 'an icon' },
};

/** Why a content cannot have this name, or null. An empty file claims nothing: it is yet to be written. */
export function claimProblem(
  fileName: string,
  content: { size: number; contentKind: ContentKind | null },
): string | null {
  const claim = claims[extensionOf(fileName)];
  if (!claim || content.size === 0 || content.contentKind === claim.kind) return null;
  return `Is not ${claim.name}, although its name ends in .${extensionOf(fileName)}`;
}
