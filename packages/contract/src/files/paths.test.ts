import { posix } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  baseName,
  cleanPath,
  collisionKey,
  copyName,
  isInside,
  joinPath,
  nameProblem,
  parentOf,
  pathProblem,
} from './paths.ts';

/** Names as people, attackers and other systems write them. */
const fragment = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom(
    '..',
    '.',
    '',
    ' ',
    'a',
    'A',
    'é',
    'e\u0301',
    'CON',
    'con.txt',
    'a b',
    '.git',
    'x.',
    '\0',
    '\u202e',
    '\\',
    'C:',
    '%2e%2e',
    '~',
  ),
);
const anyPath = fc.array(fragment, { maxLength: 25 }).map((parts) => parts.join('/'));
const goodPath = anyPath.map(cleanPath).filter((path) => path !== '' && pathProblem(path) === null);

// The same names every time: a failure elsewhere can be repeated here.
fc.configureGlobal({ seed: 20_261_115 });

describe('paths', () => {
  test('what is accepted stays below the project, on any system', () => {
    fc.assert(
      fc.property(goodPath, (path) => {
        expect(posix.resolve('/project', path)).toBe(`/project/${path}`);
        expect(path).not.toMatch(/(^|\/)\.\.?(\/|$)|\\|\0|^\/|\/$|\/\//);
        for (const name of path.split('/')) expect(nameProblem(name)).toBeNull();
      }),
      { numRuns: 2_000 },
    );
  });

  test('cleaning is done once and for all', () => {
    fc.assert(fc.property(anyPath, (path) => cleanPath(cleanPath(path)) === cleanPath(path)));
  });

  test('a path is its folder and its name', () => {
    fc.assert(
      fc.property(goodPath, (path) => {
        expect(joinPath(parentOf(path), baseName(path))).toBe(path);
        expect(isInside(path, parentOf(path))).toBe(true);
        expect(isInside(path, path)).toBe(false);
      }),
    );
  });

  test('names that look the same collide', () => {
    expect(collisionKey('Caf\u00e9.TXT')).toBe(collisionKey('cafe\u0301.txt'));
    fc.assert(
      fc.property(goodPath, (path) => {
        expect(collisionKey(path.normalize('NFD'))).toBe(collisionKey(path));
        expect(collisionKey(path.toLowerCase())).toBe(collisionKey(path));
        expect(collisionKey(collisionKey(path))).toBe(collisionKey(path));
      }),
    );
  });

  test('a copy never takes a name that is taken, and keeps the extension', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20 }), (count) => {
        const taken = new Set<string>(['report.csv']);
        for (let made = 0; made < count; made++) {
          const name = copyName('report.csv', (candidate) => taken.has(candidate));
          expect(taken.has(name)).toBe(false);
          expect(name).toMatch(/^report copy( \d+)?\.csv$/);
          taken.add(name);
        }
      }),
    );
    expect(copyName('.env', () => false)).toBe('.env copy');
  });
});
