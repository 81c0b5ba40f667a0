import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Made once by `scripts/test-packages.ts`: Debian's Python has neither DuckDB nor widgets. */
export const testPythonFolder = join(tmpdir(), 'atoll-test-python');
export const testPython = join(testPythonFolder, 'bin', 'python');
export const testPythonPackages = ['ipykernel', 'pandas', 'duckdb', 'ipywidgets'];
/** Named, or one that has more would be made for each server. */
export const machinePython = '/usr/bin/python3';
