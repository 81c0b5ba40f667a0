export type Value = string | number | boolean | Date | null;

export interface SheetColumn {
  name: string;
  /** Its column in the sheet. */
  place: number;
  type: 'VARCHAR' | 'DOUBLE' | 'BIGINT' | 'BOOLEAN' | 'TIMESTAMP' | 'DATE';
  write(value: NonNullable<Value>): string;
}

/** Reads a sheet as a table: the first row names the columns when all of its cells are text. */
export function sheetTable(data: Value[][]): { columns: SheetColumn[]; rows: Value[][] } {
  const isFilled = (value: Value | undefined) => value !== null && value !== undefined && value !== '';
  const rows = data.filter((row) => row.some(isFilled));
  const width = rows.reduce((most, row) => Math.max(most, row.findLastIndex(isFilled) + 1), 0);
  const [first = []] = rows;
  const hasHeader = rows.length > 0 && first.every((value) => !isFilled(value) || typeof value === 'string');
  if (hasHeader) rows.shift();
  const taken = new Set<string>();
  const columns = Array.from({ length: Math.max(width, 1) }, (_, place) => {
    const given = hasHeader ? String(first[place] ?? '').trim() : '';
    return { name: freeName(given || letters(place), taken), place, ...typeOf(rows, place) };
  });
  return { columns, rows };
}

/** The column's letters as in the sheet: A, B, …, Z, AA. */
export function letters(place: number): string {
  const rest = Math.floor(place / 26);
  return (rest > 0 ? letters(rest - 1) : '') + String.fromCharCode(65 + (place % 26));
}

/** The column's number, counted from one; also for columns beyond the limit of a sheet. */
export const placeOf = (name: string): number =>
  [...name.toUpperCase()].reduce((place, letter) => place * 26 + letter.charCodeAt(0) - 64, 0);

/** DuckDB's names must differ by more than case. */
function freeName(name: string, taken: Set<string>): string {
  for (let count = 0; ; count++) {
    const candidate = count === 0 ? name : `${name}_${count}`;
    if (taken.has(candidate.toLowerCase())) continue;
    taken.add(candidate.toLowerCase());
    return candidate;
  }
}

const asText = (value: NonNullable<Value>) => (value instanceof Date ? isoOf(value) : String(value));
const isoOf = (value: Date) => (Number.isNaN(value.getTime()) ? '' : value.toISOString().slice(0, -1));

function typeOf(rows: Value[][], place: number): Pick<SheetColumn, 'type' | 'write'> {
  let [isNumber, isWhole, isBoolean, isTime, isDate, isEmpty] = [true, true, true, true, true, true];
  for (const row of rows) {
    const value = row[place] ?? null;
    if (value === null) continue;
    isEmpty = false;
    isNumber &&= typeof value === 'number';
    isWhole &&= Number.isSafeInteger(value);
    isBoolean &&= typeof value === 'boolean';
    isTime &&= value instanceof Date && !Number.isNaN(value.getTime());
    isDate &&= isTime && (value as Date).getTime() % 86_400_000 === 0;
    if (!isNumber && !isBoolean && !isTime) break;
  }
  if (isEmpty) return { type: 'VARCHAR', write: asText };
  if (isNumber) return { type: isWhole ? 'BIGINT' : 'DOUBLE', write: String };
  if (isBoolean) return { type: 'BOOLEAN', write: String };
  if (isTime)
    return {
      type: isDate ? 'DATE' : 'TIMESTAMP',
      write: isDate ? (value) => isoOf(value as Date).slice(0, 10) : asText,
    };
  return { type: 'VARCHAR', write: asText };
}
