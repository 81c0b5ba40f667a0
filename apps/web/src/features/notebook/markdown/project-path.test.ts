import { expect, test } from 'vitest';
import { projectPath } from './project-path.ts';

test.each([
  ['pictures/a.png', '', 'pictures/a.png'],
  ['./a%20b.png', 'docs', 'docs/a b.png'],
  ['../data/x.csv?raw=1#top', 'docs', 'data/x.csv'],
  ['../../etc/passwd', 'docs', null],
  ['100%.png', '', '100%.png'],
  ['https://example.org/a.png', '', null],
  ['javascript:alert(1)', '', null],
  ['//example.org/a.png', '', null],
  ['/api/atoll/v1/sign_out', '', null],
  ['\\\\example.org\\a.png', '', null],
  ['#here', '', null],
  ['', '', null],
])('%s from %j', (address, folder, path) => expect(projectPath(address, folder)).toBe(path));
