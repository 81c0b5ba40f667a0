import type { Problem } from '../jobs.ts';

/**
 * Words DuckDB's errors for the file's owner. The originals name paths of this server and parts of our statements, so only
 * the parts selected here are passed on.
 */
export function explain(error: unknown): Problem | null {
  const message = String((error as Error)?.message ?? error);
  if (/^INTERRUPT/i.test(message)) {
    return { reason: 'too_slow', message: 'This takes too long. Ask for less: fewer filters, or another column.' };
  }
  if (/^Out of Memory/i.test(message)) {
    return { reason: 'too_large', message: 'This needs more memory than one table may take.' };
  }
  const line = /CSV Error on Line: (\d+)/.exec(message)?.[1];
  const at = line ? { line: Number(line) } : {};
  const where = line ? `Line ${Number(line).toLocaleString('en')}: ` : '';
  const unreadable = (text: string): Problem => ({ reason: 'unreadable', message: where + text, ...at });

  const columns = /Expected Number of Columns: (\d+) Found: (\d+)/.exec(message);
  if (columns) return unreadable(`it has ${columns[2]} columns where the others have ${columns[1]}.`);
  if (/unterminated quote|quote should be followed/i.test(message))
    return unreadable('a quote is opened and never closed.');
  if (/Maximum line size of/i.test(message)) return unreadable('the line is longer than 2 MB.');
  if (/not utf-8|invalid unicode/i.test(message)) return unreadable('its letters are in no encoding that can be read.');
  const conversion = /Error when converting column "(.{0,200}?)"\. Could not convert string/s.exec(message);
  if (conversion) return unreadable(`the value in column “${conversion[1]}” is of another type than those before it.`);
  if (line) return unreadable('it cannot be read as a row.');
  const json = /Malformed JSON .* in record\/value (\d+): ([a-z ,]{1,80})/i.exec(message);
  if (json) return unreadable(`Record ${json[1]} is not JSON: ${json[2]?.trim()}.`);
  if (/maximum_object_size/i.test(message)) {
    return { reason: 'too_large', message: 'One record of it is larger than 64 MB.' };
  }
  if (
    /sniffing|JSON|parquet|Invalid Input|Conversion|TProtocol|thrift|No magic bytes|Snappy|ZSTD|gzip/i.test(message)
  ) {
    return unreadable('It is damaged, or not what its name says.');
  }
  return null;
}
