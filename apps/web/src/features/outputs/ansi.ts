export interface Span {
  text: string;
  /** 0 to 15 are the terminal's own colours, which follow the mode; others are CSS. */
  colour: number | string | null;
  background: number | string | null;
  isBold: boolean;
  isFaint: boolean;
  isItalic: boolean;
  isUnderlined: boolean;
}

type Style = Omit<Span, 'text'>;

const plain: Style = {
  colour: null,
  background: null,
  isBold: false,
  isFaint: false,
  isItalic: false,
  isUnderlined: false,
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal sequences begin with one.
const sequences = /\u001B(?:\[([0-?]*)[ -/]*([@-~])|\][^\u0007\u001B]*(?:\u0007|\u001B\\)|[@-Z\\^_])/g;

/** A terminal's text in pieces of one look each. What moves a cursor has no meaning here and is left out. */
export function parseAnsi(text: string): Span[] {
  const spans: Span[] = [];
  let style = plain;
  let from = 0;
  const add = (to: number) => {
    if (to > from) spans.push({ ...style, text: text.slice(from, to) });
  };
  for (const found of text.matchAll(sequences)) {
    add(found.index);
    from = found.index + found[0].length;
    if (found[2] === 'm') style = restyled(style, (found[1] ?? '').split(/[;:]/).map(Number));
  }
  add(text.length);
  return spans;
}

function restyled(before: Style, codes: number[]): Style {
  let style = { ...before };
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] as number;
    if (code === 38 || code === 48) {
      const [colour, used] = longColour(codes.slice(at + 1));
      style[code === 38 ? 'colour' : 'background'] = colour;
      at += used;
    } else if (code === 0) style = { ...plain };
    else Object.assign(style, meaningOf(code));
  }
  return style;
}

function meaningOf(code: number): Partial<Style> {
  if (code >= 30 && code <= 37) return { colour: code - 30 };
  if (code >= 90 && code <= 97) return { colour: code - 82 };
  if (code >= 40 && code <= 47) return { background: code - 40 };
  if (code >= 100 && code <= 107) return { background: code - 92 };
  return single[code] ?? {};
}

const single: Record<number, Partial<Style>> = {
  1: { isBold: true },
  2: { isFaint: true },
  3: { isItalic: true },
  4: { isUnderlined: true },
  22: { isBold: false, isFaint: false },
  23: { isItalic: false },
  24: { isUnderlined: false },
  39: { colour: null },
  49: { background: null },
};

/** After 38 or 48: `5;n` of 256 colours, or `2;r;g;b`. */
function longColour([kind, ...values]: number[]): [Style['colour'], used: number] {
  if (kind === 2) return [`rgb(${values.slice(0, 3).map(byte).join(' ')})`, 4];
  if (kind !== 5) return [null, 1];
  const index = byte(values[0]);
  if (index < 16) return [index, 2];
  if (index >= 232) {
    const grey = (index - 232) * 10 + 8;
    return [`rgb(${grey} ${grey} ${grey})`, 2];
  }
  const level = (part: number) => (part === 0 ? 0 : part * 40 + 55);
  const cube = index - 16;
  return [`rgb(${level(Math.floor(cube / 36))} ${level(Math.floor(cube / 6) % 6)} ${level(cube % 6)})`, 2];
}

const byte = (value: number | undefined): number => Math.max(0, Math.min(255, value || 0));
