import { expect, it } from 'vitest';
import { fileTypeOf, isScriptPath, languageOf } from './kinds.ts';

it.each([
  ['main.ipynb', 'notebook', 'python'],
  ['tools/clean.R', 'script', 'r'],
  ['docker/Dockerfile', 'script', 'dockerfile'],
  ['requirements.txt', 'script', 'text'],
  ['notes.txt', 'generic', 'text'],
])('%s is a %s in %s', (name, type, language) =>
  expect([fileTypeOf(name), languageOf(name)]).toEqual([type, language]),
);

it('runs scripts by their extension, and nothing that is known by its name alone', () => {
  expect(['a.py', 'Makefile', 'requirements.txt'].map(isScriptPath)).toEqual([true, false, false]);
});
