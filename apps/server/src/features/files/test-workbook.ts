import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

export type TestCell = string | number | boolean | Date | null;

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`);
const relations = (types: string[]) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${types
    .map((each, index) => {
      const [type, target] = each.split('|');
      return `<Relationship Id="rId${index + 1}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`;
    })
    .join('')}</Relationships>`;

function cellXml(value: TestCell, reference: string): string {
  if (value === null) return '';
  if (typeof value === 'number') return `<c r="${reference}"><v>${value}</v></c>`;
  if (typeof value === 'boolean') return `<c r="${reference}" t="b"><v>${Number(value)}</v></c>`;
  if (value instanceof Date) return `<c r="${reference}" s="1"><v>${value.getTime() / 86_400_000 + 25_569}</v></c>`;
  return `<c r="${reference}" t="inlineStr"><is><t xml:space="preserve">${escaped(value)}</t></is></c>`;
}

export const sheetXml = (rows: TestCell[][]) =>
  `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows
    .map(
      (row, index) =>
        `<row r="${index + 1}">${row.map((value, place) => cellXml(value, `${String.fromCharCode(65 + place)}${index + 1}`)).join('')}</row>`,
    )
    .join('')}</sheetData></worksheet>`;

/** A workbook as Excel would save it, with what it needs and no more; `sheets` may also be XML to try others' files. */
export async function workbook(sheets: Record<string, TestCell[][] | string>): Promise<Buffer> {
  const zip = new ZipFile();
  const add = (path: string, xml: string) =>
    zip.addBuffer(Buffer.from(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>${xml}`), path);
  const names = Object.keys(sheets);
  add(
    '[Content_Types].xml',
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>',
  );
  add('_rels/.rels', relations(['officeDocument|xl/workbook.xml']));
  add(
    'xl/workbook.xml',
    `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>${names
      .map((name, index) => `<sheet name="${escaped(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
      .join('')}</sheets></workbook>`,
  );
  add(
    'xl/_rels/workbook.xml.rels',
    relations([...names.map((_, index) => `worksheet|worksheets/sheet${index + 1}.xml`), 'styles|styles.xml']),
  );
  add(
    'xl/styles.xml',
    '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>',
  );
  for (const [index, content] of Object.values(sheets).entries()) {
    add(`xl/worksheets/sheet${index + 1}.xml`, typeof content === 'string' ? content : sheetXml(content));
  }
  zip.end();
  return buffer(zip.outputStream);
}
