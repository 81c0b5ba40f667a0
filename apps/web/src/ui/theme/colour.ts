/** Colour arithmetic in OKLCH, where equal steps look equal; just enough for shades and contrast. */
export type Rgb = [red: number, green: number, blue: number];
type Oklch = [lightness: number, chroma: number, hue: number];

export function parseColour(text: string): Rgb {
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text.trim())?.[1];
  if (hex) {
    const full = hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex;
    return [0, 2, 4].map((at) => Number.parseInt(full.slice(at, at + 2), 16)) as Rgb;
  }
  const parts = /^rgba?\(([^)]+)\)$/i.exec(text.trim())?.[1]?.split(',').map(Number);
  return parts && parts.length >= 3 ? (parts.slice(0, 3) as Rgb) : [0, 0, 0];
}

export const toHex = (rgb: Rgb): string =>
  `#${rgb
    .map((part) =>
      Math.round(Math.min(255, Math.max(0, part)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;

const toLinear = (part: number): number => {
  const unit = part / 255;
  return unit <= 0.04045 ? unit / 12.92 : ((unit + 0.055) / 1.055) ** 2.4;
};
const fromLinear = (unit: number): number =>
  255 * (unit <= 0.0031308 ? 12.92 * unit : 1.055 * Math.max(0, unit) ** (1 / 2.4) - 0.055);

function toOklch(rgb: Rgb): Oklch {
  const [r, g, b] = rgb.map(toLinear) as Rgb;
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const c = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return [0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, Math.hypot(a, c), Math.atan2(c, a)];
}

function fromOklch([lightness, chroma, hue]: Oklch): Rgb {
  const a = chroma * Math.cos(hue);
  const b = chroma * Math.sin(hue);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    fromLinear(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    fromLinear(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    fromLinear(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/** Ten shades from pale to deep around one colour, in the order the component set expects. */
export function shades(colour: string): string[] {
  const [lightness, chroma, hue] = toOklch(parseColour(colour));
  const at = (target: number, strength: number) => toHex(fromOklch([target, chroma * strength, hue]));
  const pale = [0.97, 0.93, 0.87, 0.8, 0.73, 0.66];
  const paleStrength = [0.12, 0.25, 0.45, 0.65, 0.85, 1];
  const deep = [0.88, 0.76, 0.62];
  return [
    ...pale.map((target, index) => at(Math.max(target, lightness), paleStrength[index] ?? 1)),
    toHex(parseColour(colour)),
    ...deep.map((factor) => at(lightness * factor, 0.95)),
  ];
}

export function mix(from: string, to: string, amount: number): string {
  const start = parseColour(from);
  const end = parseColour(to);
  return toHex(start.map((part, index) => part + ((end[index] ?? 0) - part) * amount) as Rgb);
}

function luminance(colour: string): number {
  const [r, g, b] = parseColour(colour).map(toLinear) as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The WCAG contrast ratio, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

export const readableContrast = 4.5;

/** White or near-black, whichever can be read on a fill; one of them always can. */
export function textOn(fill: string): string {
  return contrast(fill, '#ffffff') >= readableContrast ? '#ffffff' : '#0b0b0c';
}

/** The same hue, moved lighter or darker only as far as needed to be read on every one of these backgrounds. */
export function readableOn(colour: string, ...backgrounds: string[]): string {
  const isReadable = (candidate: string) =>
    backgrounds.every((under) => contrast(candidate, under) >= readableContrast);
  const [lightness, chroma, hue] = toOklch(parseColour(colour));
  const direction = luminance(backgrounds[0] ?? '#ffffff') > 0.18 ? -0.02 : 0.02;
  let candidate = toHex(parseColour(colour));
  for (let step = 1; !isReadable(candidate) && step <= 50; step++) {
    const target = lightness + direction * step;
    if (target <= 0 || target >= 1) break;
    candidate = toHex(fromOklch([target, chroma, hue]));
  }
  return candidate;
}
