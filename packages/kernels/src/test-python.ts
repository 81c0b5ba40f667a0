import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** `scripts/test-packages.ts` lets the product make the Python that people get here, once for this machine. */
export const testPythonFolder = join(tmpdir(), 'atoll-test-environment');
export const testPythonFile = join(testPythonFolder, 'executable');

/** Empty before that: then each server makes its own, which takes time. */
export const testPython = existsSync(testPythonFile) ? readFileSync(testPythonFile, 'utf8') : '';
