import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeTexts, textEdits } from './merge-texts.ts';

test.each([
  ['x = 1', 'xy = 1', 'x = 12', 'xy = 12'],
  ['tide', 'high tide', 'tides', 'high tides'],
  ['a\nb\nc', 'A\nb\nc', 'a\nb\nC', 'A\nb\nC'],
  ['ab', 'aXb', 'aYb', 'aYXb'],
  ['abc', 'ac', 'abXc', 'aXc'],
  ['abc', '', 'abc!', '!'],
  ['a', 'mine', 'a', 'mine'],
  ['a', 'a', 'theirs', 'theirs'],
  ['one\n\nend', 'one\n\nmine', 'one\n\ntheirs', 'one\n\ntheirsmine'],
  ['🌊', '🌊🌊', '🌊!', '🌊!🌊'],
])('%j as %j and as %j', (base, mine, theirs, merged) => expect(mergeTexts(base, mine, theirs)).toBe(merged));

const letters = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '🌊'), maxLength: 40 });

test('returns edits that turn one text into the other', () => {
  fc.assert(
    fc.property(letters, letters, (before, after) => {
      let text = before;
      for (const { from, to, insert } of textEdits(before, after).reverse())
        text = text.slice(0, from) + insert + text.slice(to);
      expect(text).toBe(after);
    }),
  );
});

interface Person {
  /** The newest answer of the server. */
  known: string;
  pending: { base: string; source: string; isSent: boolean }[];
  inbox: ({ text: string } | 'answer')[];
}

const shown = ({ known, pending }: Person): string =>
  pending.reduce((text, { base, source }) => mergeTexts(base, source, text), known);

const step = fc.record({
  who: fc.nat(2),
  act: fc.constantFrom('write', 'write', 'delete', 'send', 'send', 'hear', 'hear'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.integer({ min: 1, max: 4 }),
});

test('leaves three people who write in one text at once with the same text, and loses nothing that was answered', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      let text = 'The tide turns at six.';
      const people = [0, 1, 2].map((): Person => ({ known: text, pending: [], inbox: [] }));
      const [written, deleted] = [new Set<string>(), new Set<string>()];
      // All letters are different, so that the test can find those that are still there.
      let next = 0x4e00;
      const send = (person: Person) => {
        const item = person.pending.find(({ isSent }) => !isSent);
        if (!item) return false;
        item.isSent = true;
        text = mergeTexts(item.base, item.source, text);
        for (const each of people) each.inbox.push({ text });
        person.inbox.push('answer');
        return true;
      };
      const hear = (person: Person) => {
        const message = person.inbox.shift();
        if (message === 'answer') person.pending.shift();
        else if (message) person.known = message.text;
        return message !== undefined;
      };
      for (const { who, act, at, length } of steps) {
        const person = people[who] as Person;
        const base = shown(person);
        const place = Math.floor(at * base.length);
        if (act === 'write') {
          const word = Array.from({ length }, () => String.fromCodePoint(next++));
          for (const letter of word) written.add(letter);
          const source = base.slice(0, place) + word.join('') + base.slice(place);
          person.pending.push({ base, source, isSent: false });
        } else if (act === 'delete') {
          for (const letter of base.slice(place, place + length)) deleted.add(letter);
          person.pending.push({ base, source: base.slice(0, place) + base.slice(place + length), isSent: false });
        } else if (act === 'send') send(person);
        else hear(person);
      }
      while (people.some((person) => send(person) || hear(person)));
      for (const person of people) expect(shown(person)).toBe(text);
      for (const letter of written) if (!deleted.has(letter)) expect(text).toContain(letter);
      expect(new Set(text.replace(/[ -~]/g, '')).size).toBe(text.replace(/[ -~]/g, '').length);
    }),
    { numRuns: 300 },
  );
});
