/** The number of colours for people (people.css); they are distinguishable for people with colour blindness. */
export const colourCount = 7;

/** A person has the same colour on every visit, unless another person who is here already has it. */
export function colourOf(personId: string, given: ReadonlyMap<string, number>): number {
  const own = given.get(personId);
  if (own !== undefined) return own;
  const taken = new Set(given.values());
  const first = hash(personId) % colourCount;
  for (let step = 0; step < colourCount; step++) {
    const colour = (first + step) % colourCount;
    if (!taken.has(colour)) return colour;
  }
  return first;
}

function hash(text: string): number {
  let value = 0;
  for (const letter of text) value = (Math.imul(value, 31) + letter.charCodeAt(0)) >>> 0;
  return value;
}
