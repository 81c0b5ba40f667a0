/** The protocol counts code points, JavaScript UTF-16 units: an emoji is one code point and two units. */

export function toCodePoints(text: string, units: number): number {
  let points = 0;
  for (let at = 0; at < Math.min(units, text.length); points++) at += widthAt(text, at);
  return points;
}

export function toUnits(text: string, points: number): number {
  let at = 0;
  for (let point = 0; point < points && at < text.length; point++) at += widthAt(text, at);
  return at;
}

const widthAt = (text: string, at: number) => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
