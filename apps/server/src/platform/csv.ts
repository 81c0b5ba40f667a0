/** A spreadsheet would take what begins so for a formula. */
function field(value: string | number | null | undefined): string {
  if (typeof value === 'number') return String(value);
  const text = value ?? '';
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

export const csvLine = (values: (string | number | null | undefined)[]): string => `${values.map(field).join(',')}\r\n`;
