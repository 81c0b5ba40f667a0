import type { ProjectFile } from '@atoll/contract/files/entity';
import { authHeaders } from '../../platform/credentials.ts';
import { send } from '../../platform/http.ts';
import { contentUrl } from './addresses.ts';

/** The file is not text, so there is nothing to edit. */
export class NotText extends Error {}

export const readText = (file: ProjectFile): Promise<string> => readTextAt(contentUrl(file));

export async function readTextAt(url: string): Promise<string> {
  const response = await send(url, { headers: authHeaders(), credentials: 'same-origin' });
  const bytes = await response.arrayBuffer();
  try {
    // A byte order mark is part of the file and goes back into it.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Invalid UTF-8: reported by the error below.
  }
  throw new NotText('This is not a text file and cannot be edited here.');
}
