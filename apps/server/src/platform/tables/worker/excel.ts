import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import readWorkbook from 'read-excel-file/universal';
import { type ZipFile as OpenZip, openPromise } from 'yauzl';
import { ZipFile } from 'yazl';
import { type Contents, type Job, TableProblem } from '../jobs.ts';
import { maxColumns } from './columns.ts';
import { type DuckDb, quotedText } from './duckdb.ts';
import { toParquet } from './parquet.ts';
import { placeOf, type SheetColumn, sheetTable, type Value } from './sheet.ts';

/** Bounds of a workbook: a genuine one is far below, a zip bomb far above. */
const limits = {
  entries: 2_000,
  xmlBytes: 200 * 1024 ** 2,
  ratio: 200,
  sheets: 200,
  emptyCells: 5_000_000,
  emptyRatio: 20,
};

const unreadable = (message: string) => new TableProblem({ reason: 'unreadable', message });
const tooLarge = () =>
  new TableProblem({
    reason: 'too_large',
    message: 'The workbook unpacks to more than 200 MB. Save the sheet as csv or parquet instead.',
  });

const tooWide = () =>
  new TableProblem({
    reason: 'too_large',
    message: 'The workbook is almost empty and very large: some of its cells are far away from the others.',
  });

export async function convertWorkbook(db: DuckDb, job: Extract<Job, { kind: 'convert' }>): Promise<Contents> {
  const content = await repacked(job.path);
  const sheets = await readWorkbook(content).catch((error: unknown) => {
    throw error instanceof RangeError ? tooLarge() : unreadable('It is damaged, or no Excel workbook.');
  });
  if (sheets.length === 0) throw unreadable('The workbook has no sheet.');
  const shown = sheets.slice(0, limits.sheets);
  for (const [index, { data }] of shown.entries()) {
    await convertSheet(db, data as unknown as Value[][], job.folder, index);
    // The data is written, so release it.
    data.length = 0;
  }
  return { sheets: shown.map(({ sheet }) => sheet) };
}

/**
 * The workbook's XML, unpacked within bounds and packed again without compression, because the reader unpacks any input and
 * trusts the sizes that a zip declares.
 */
async function repacked(path: string): Promise<ArrayBuffer> {
  const zip = await openPromise(path, { autoClose: false, strictFileNames: true, validateEntrySizes: true }).catch(
    () => {
      throw unreadable('It is damaged, or no Excel workbook.');
    },
  );
  try {
    const packed = new ZipFile();
    await copyXml(zip, packed);
    packed.end();
    const bytes = await buffer(packed.outputStream);
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  } finally {
    zip.close();
  }
}

async function copyXml(zip: OpenZip, packed: ZipFile): Promise<void> {
  if (zip.entryCount > limits.entries) throw tooLarge();
  let total = 0;
  let [entries, cells, area] = [0, 0, 0];
  try {
    for await (const entry of zip.eachEntry()) {
      if (!/\.(xml|xml\.rels)$/.test(entry.fileName)) continue;
      if (entry.isEncrypted()) throw unreadable('The workbook is locked with a password.');
      total += entry.uncompressedSize;
      const isBomb =
        entry.uncompressedSize > 10 * 1024 ** 2 && entry.uncompressedSize > entry.compressedSize * limits.ratio;
      if (total > limits.xmlBytes || isBomb || ++entries > limits.entries) throw tooLarge();
      // The size is checked while it is read: an entry that grows past its declared size ends here.
      const content = await buffer(await zip.openReadStreamPromise(entry));
      const extent = extentOf(content);
      cells += extent.cells;
      area += extent.area;
      if (area > limits.emptyCells + limits.emptyRatio * cells) throw tooWide();
      packed.addBuffer(content, entry.fileName, { compress: false });
    }
  } catch (error) {
    throw error instanceof TableProblem ? error : unreadable('It is damaged, or no Excel workbook.');
  }
  if (entries === 0) throw unreadable('It is no Excel workbook.');
}

/** The number of cells in a sheet, and the number the reader creates: it fills all rows to the last and the widest. */
function extentOf(xml: Buffer): { cells: number; area: number } {
  const text = xml.toString('latin1');
  let [cells, lastRow, lastColumn] = [0, 0, 0];
  if (!text.includes('sheetData')) return { cells, area: 0 };
  for (const [, place = ''] of text.matchAll(/\sr\s*=\s*["']([^"']*)/g)) {
    const [, letters, digits] = /^([A-Za-z]{0,3})(\d{0,7})$/.exec(place) ?? [];
    if (letters === undefined)
      throw unreadable(`It has a cell at “${place.slice(0, 20)}”, which is no place in a sheet.`);
    cells += 1;
    lastRow = Math.max(lastRow, Number(digits));
    lastColumn = Math.max(lastColumn, placeOf(letters));
  }
  return { cells, area: lastRow * lastColumn };
}

/** Converts by way of a csv with given types, which DuckDB reads without holding the sheet. */
async function convertSheet(db: DuckDb, data: Value[][], folder: string, index: number): Promise<void> {
  const { columns, rows } = sheetTable(data);
  if (columns.length > maxColumns) {
    const message = `A sheet has ${columns.length} columns; up to ${maxColumns} can be shown.`;
    throw new TableProblem({ reason: 'too_large', message });
  }
  const path = join(folder, `${index}.csv`);
  await writeCsv(path, columns, rows);
  const types = columns.map(({ type }, place) => `'c${place}': '${type}'`).join(', ');
  const names = columns.map(({ name }, place) => `c${place} as "${name.replaceAll('"', '""')}"`).join(', ');
  await toParquet(
    db,
    `select ${names} from read_csv(${quotedText(path)}, auto_detect = false, header = false, delim = ',', quote = '"',
       escape = '"', nullstr = '', allow_quoted_nulls = false, max_line_size = 8388608, columns = {${types}})`,
    folder,
    index,
  );
  await rm(path);
}

async function writeCsv(path: string, columns: SheetColumn[], rows: Value[][]): Promise<void> {
  const file = createWriteStream(path, { mode: 0o600 });
  for (const row of rows) {
    const line = columns.map(({ write, place }) => {
      const value = row[place] ?? null;
      return value === null ? '' : `"${write(value).replaceAll('"', '""')}"`;
    });
    if (!file.write(`${line.join(',')}\n`)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
}
