import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export function temporary(): string {
  const root = mkdtempSync(join(tmpdir(), 'atoll-folder-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}
export const none = { saved: [], deleted: [], notices: [] };
export const onTheWay = { isFinal: false };
export const final = { isFinal: true };
