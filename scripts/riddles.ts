/** Words that a reader has to think about, and what to write instead. Counted by `check-words.ts`. */
export const riddles: readonly { pattern: RegExp; instead: string }[] = [
  { pattern: /\b(told|tells?|telling)\b/gi, instead: 'notify, send, publish, show, report' },
  { pattern: /\bwhoever\b/gi, instead: 'the caller, the client, the person who …' },
  { pattern: /\bnobody('s)?\b/gi, instead: 'no one else, without an owner, anonymous' },
  { pattern: /\bsomebody('s)?\b/gi, instead: 'a person, a user, the caller' },
  { pattern: /\bheard\b/gi, instead: 'received' },
  { pattern: /\banew\b/gi, instead: 'again, from the start' },
  { pattern: /\bis (asked|said)\b/gi, instead: 'a sentence with a subject that does it' },
  { pattern: /\bwhat (is|was|are|were) (said|asked|told)\b/gi, instead: 'the message, the request' },
  { pattern: /\bnone (is|are)\b/gi, instead: 'there is no …' },
];
