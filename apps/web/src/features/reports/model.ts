import { type PrintFormat, printFormats } from '@atoll/contract/reports/formats';

export interface ReportsSearch {
  search?: string;
  page?: number;
}

export function parseReportsSearch(search: Record<string, unknown>): ReportsSearch {
  const page = Number(search.page);
  return {
    search: typeof search.search === 'string' && search.search ? search.search.slice(0, 200) : undefined,
    page: Number.isInteger(page) && page > 0 ? page : undefined,
  };
}

const inches = new Set<PrintFormat>(['Letter', 'Legal', 'Tabloid']);

const inch = (millimetres: number) => Math.round((millimetres / 25.4) * 100) / 100;

/** Paper with its measures: `A4 (210 × 297 mm)`. */
export const paperNames = Object.entries(printFormats).map(([value, [width, height]]) => ({
  value,
  label: inches.has(value as PrintFormat)
    ? `${value} (${inch(width)} × ${inch(height)} in)`
    : `${value} (${width} × ${height} mm)`,
}));

/** How many pixels of a screen fit between the margins. */
export function widthChoices(chosen: number | null): { value: string; label: string }[] {
  const usual = [
    { value: '', label: 'Normal text size' },
    { value: '800', label: 'Small text (800 px wide)' },
    { value: '1100', label: 'Very small text (1,100 px wide)' },
  ];
  return chosen === null || usual.some(({ value }) => value === String(chosen))
    ? usual
    : [...usual, { value: String(chosen), label: `${chosen.toLocaleString('en')} px wide` }];
}

export interface PrintableCell {
  id: string;
  line: string;
  isCode: boolean;
}

/** The cells of an article, each with its first words. */
export function cellsOf(html: string): PrintableCell[] {
  const page = new DOMParser().parseFromString(html, 'text/html');
  return [...page.querySelectorAll<HTMLElement>('.cell[data-cell]')].map((cell) => ({
    id: cell.dataset.cell ?? '',
    line: firstWords(cell) || 'Picture or chart',
    isCode: !cell.classList.contains('markdown'),
  }));
}

const firstWords = (cell: HTMLElement): string =>
  (cell.querySelector('h2, h3, h4, h5, h6, p, li, pre, th, summary')?.textContent ?? '')
    .trim()
    .split('\n', 1)
    .join()
    .slice(0, 120);
