import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { colour, flag, line, password, userName, webUrl } from './fields.ts';
import { guestId } from './session/endpoints.ts';
import { returnTo } from './sign-in/endpoints.ts';

const accepts = (schema: z.ZodType, values: unknown[]) => {
  for (const value of values) expect(schema.safeParse(value).success, String(value)).toBe(true);
};
const refuses = (schema: z.ZodType, values: unknown[]) => {
  for (const value of values) expect(schema.safeParse(value).success, String(value)).toBe(false);
};

describe('fields', () => {
  test('colours are the four forms of the spec and nothing that could carry CSS', () => {
    accepts(colour, ['#abc', '#A1B2C3', 'rgb(1, 2, 3)', 'rgba(10,20,30,0.5)', 'rgba(1,2,3,1)']);
    refuses(colour, ['red', '#12', '#12345', 'rgb(1,2)', 'rgba(1,2,3,2)', '#fff;}', 'url(x)', 'expression(1)']);
  });

  test('return_to stays on this site', () => {
    accepts(returnTo, ['/', '/projects?a=b#c', '/a/b']);
    refuses(returnTo, [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example',
      'javascript:alert(1)',
      'a/b',
      '',
      '/a b',
    ]);
  });

  test('links are web addresses', () => {
    accepts(webUrl, ['https://a.example', 'http://localhost:4000/x?y']);
    refuses(webUrl, ['javascript:alert(1)', 'data:text/html,x', 'ftp://a.example', '//a.example', 'a.example']);
  });

  test('a line has no control, direction or invisible characters', () => {
    accepts(line(20), ['Ada Lovelace', 'Ünïcödé 名前', '👩\u200D🔬', '']);
    refuses(line(20), ['a\nb', 'a\u0000', 'a\u202Eb', 'a\u2066b', 'a\u200Bb', '\u2060\u2060', 'x'.repeat(21)]);
    refuses(line(20), ['a\u200Db', 'a \u200C', '\u3164', '\u2800', 'a\u2028b', 'a\u{E0061}', 'a\u034Fb']);
    accepts(line(20), ['می\u200Cخواهم', 'क\u094D\u200Dष', '\u{1F3F4}\u{E0067}\u{E0062}\u{E007F} Wales']);
  });

  test('names, passwords, guest ids and flags', () => {
    accepts(userName, ['ada', 'Ada_1815']);
    refuses(userName, ['ab', 'a b', 'a-b', 'ä'.repeat(3), 'x'.repeat(41)]);
    accepts(password, ['ten letters']);
    refuses(password, ['too short', 'x'.repeat(201)]);
    refuses(guestId, ['short', 'x'.repeat(65), 'with spaces in it!!']);
    accepts(flag, [true, 'true', '1', 'false', '0']);
    refuses(flag, ['maybe', 2, null]);
  });
});
