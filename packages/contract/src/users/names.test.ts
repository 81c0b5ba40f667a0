import { expect, test } from 'vitest';
import { initialsOf, personName } from './names.ts';

const ada = { first_name: 'Ada', last_name: 'Lovelace', user_name: 'ada' };

test('people have a name, if only the one they chose', () => {
  expect(personName(ada)).toBe('Ada Lovelace');
  expect(personName({ ...ada, first_name: '' })).toBe('Lovelace');
  expect(personName({ ...ada, first_name: '', last_name: '' })).toBe('ada');
});

test('initials are of the first two words', () => {
  expect(initialsOf('Ada Lovelace')).toBe('AL');
  expect(initialsOf('ada king noel')).toBe('AK');
});
