/** A checksum to compare texts, of the form in which the server stores them: without NUL and lone surrogates. */
export function textChecksum(text: string): string {
  const stored = text.toWellFormed().replaceAll('\0', '\ufffd');
  let [one, other] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < stored.length; at++) {
    const code = stored.charCodeAt(at);
    one = Math.imul(one ^ code, 2_654_435_761);
    other = Math.imul(other ^ code, 1_597_334_677);
  }
  one = Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(other ^ (other >>> 13), 3_266_489_909);
  other = Math.imul(other ^ (other >>> 16), 2_246_822_507) ^ Math.imul(one ^ (one >>> 13), 3_266_489_909);
  return `${stored.length.toString(36)}.${(one >>> 0).toString(36)}.${(other >>> 0).toString(36)}`;
}
