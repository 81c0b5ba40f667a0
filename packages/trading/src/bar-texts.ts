/** What is written in the columns of a file of bars, where the file's format has no types. */

export interface TextColumn {
  name: string;
  texts: readonly (string | null)[];
}

/** Says which column and row, so that people find it in their file. */
export class UnreadableText extends Error {}

/** The first row below the header. */
const firstRow = 2;

const refuse = ({ name, texts }: TextColumn, index: number, problem: (text: string) => string): never => {
  throw new UnreadableText(`Column "${name}", row ${index + firstRow}: ${problem(texts[index] ?? '')}`);
};

const secondMs = 1_000;
const yearFirst =
  /^(\d{4})([-/.]?)(\d{1,2})\2(\d{1,2})(?:[T ]+(\d{1,2}):?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?)?$/;
const yearLast =
  /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?:[T ,]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*([AaPp][Mm])?)?$/;

interface Parts {
  year: number;
  /** As they are written where the year is last: which of them is the day has to be found out. */
  numbers: [number, number];
  isYearFirst: boolean;
  separator: string;
  timeMs: number;
}

function partsOf(text: string): Parts | null {
  const first = yearFirst.exec(text);
  if (first) {
    const [, year, separator = '', month, day, hour = '0', minute = '0', second = '0', fraction = '', zone = ''] =
      first;
    const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
    const aheadMs = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60 * secondMs;
    const timeMs = clockMs(hour, minute, second, fraction);
    if (timeMs === null) return null;
    return {
      ...{ year: Number(year), numbers: [Number(month), Number(day)], isYearFirst: true, separator },
      timeMs: timeMs - aheadMs,
    };
  }
  const last = yearLast.exec(text);
  if (!last) return null;
  const [, one, separator = '', other, year, hour = '0', minute = '0', second = '0', fraction = '', half] = last;
  const timeMs = clockMs(
    half ? String((Number(hour) % 12) + (/p/i.test(half) ? 12 : 0)) : hour,
    minute,
    second,
    fraction,
  );
  if (timeMs === null) return null;
  return { year: Number(year), numbers: [Number(one), Number(other)], isYearFirst: false, separator, timeMs };
}

function clockMs(hour: string, minute: string, second: string, fraction: string): number | null {
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const milliseconds = Number(fraction.padEnd(3, '0').slice(0, 3));
  return ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * secondMs + milliseconds;
}

/** NaN for a day that no calendar has. */
function timeOf({ year, numbers: [one, other], timeMs }: Parts, isMonthFirst: boolean): number {
  const [month, day] = isMonthFirst ? [one, other] : [other, one];
  const at = Date.UTC(year, month - 1, day);
  const date = new Date(at);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? at + timeMs : Number.NaN;
}

const isAscending = (times: readonly number[]) =>
  times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0));

/** Times in UTC unless they name another zone. What comes first where the year is last, the whole column decides. */
export function readTimes(column: TextColumn): Float64Array {
  const parts = column.texts.map(
    (text, index) => partsOf(text?.trim() ?? '') ?? refuse(column, index, (text) => `"${text}" is not a time.`),
  );
  const read = (isMonthFirst: boolean) => parts.map((part) => timeOf(part, part.isYearFirst || isMonthFirst));
  const checked = (times: number[]) => {
    const wrong = times.findIndex(Number.isNaN);
    if (wrong >= 0) refuse(column, wrong, (text) => `"${text}" is not a day of the calendar.`);
    return Float64Array.from(times);
  };
  const isEither = parts.findIndex(({ isYearFirst }) => !isYearFirst);
  if (isEither < 0) return checked(read(true));
  const dayFirst = parts.findIndex(({ isYearFirst, numbers: [one] }) => !isYearFirst && one > 12);
  const monthFirst = parts.findIndex(({ isYearFirst, numbers: [, other] }) => !isYearFirst && other > 12);
  if (dayFirst >= 0 && monthFirst >= 0)
    refuse(
      column,
      Math.max(dayFirst, monthFirst),
      (text) => `"${text}" has day and month the other way round than before.`,
    );
  // With dots, the day is first in every country that writes so.
  if (dayFirst >= 0 || parts[isEither]?.separator === '.') return checked(read(false));
  if (monthFirst >= 0) return checked(read(true));
  const [days, months] = [read(false), read(true)];
  const [isByDay, isByMonth] = [isAscending(days), isAscending(months)];
  if (isByDay === isByMonth)
    refuse(
      column,
      isEither,
      (text) => `"${text}" can begin with the day or the month. Write the year first: 2026-01-31.`,
    );
  return checked(isByDay ? days : months);
}

const withPoint = /^[+-]?(\d+|\d{1,3}(,\d{3})+)?(\.\d*)?(e[+-]?\d+)?$/i;
const withComma = /^[+-]?(\d+|\d{1,3}(\.\d{3})+)?(,\d*)?(e[+-]?\d+)?$/i;

/** Numbers with a decimal point or comma: one of the two in the whole file. An empty cell is NaN. */
export function readNumbers(columns: readonly TextColumn[]): Float64Array[] {
  const cells = columns.map(({ texts }) => texts.map((text) => text?.trim() ?? ''));
  const isAll = (pattern: RegExp) => cells.every((texts) => texts.every((text) => pattern.test(text)));
  const [isPoint, isComma] = [isAll(withPoint), isAll(withComma)];
  for (const [at, column] of columns.entries()) {
    const isMixed = !isPoint && !isComma;
    const wrong = (cells[at] ?? []).findIndex((text) =>
      isMixed ? !withPoint.test(text) : isPoint && isComma && /[.,]/.test(text),
    );
    if (wrong < 0) continue;
    if (isMixed) refuse(column, wrong, (text) => `"${text}" is not a number.`);
    refuse(
      column,
      wrong,
      (text) => `"${text}" can have a decimal point or comma. Write it without separators of thousands.`,
    );
  }
  const [grouping, decimal] = isPoint ? [/,/g, '.'] : [/\./g, ','];
  return cells.map((texts) =>
    Float64Array.from(texts, (text) =>
      text === '' ? Number.NaN : Number(text.replace(grouping, '').replace(decimal, '.')),
    ),
  );
}
