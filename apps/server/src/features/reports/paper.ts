import { type PrintSettings, printFormats } from '@atoll/contract';

/** In millimetres. */
const margins = { top: 20, side: 16, bottom: 18 };
const pixelsPerMillimetre = 96 / 25.4;

export function paperOf({ print_format, orientation }: Pick<PrintSettings, 'print_format' | 'orientation'>) {
  const [short, long] = printFormats[print_format];
  const [width, height] = orientation === 'portrait' ? [short, long] : [long, short];
  return { width, height, margins };
}

/** What is between the margins, in CSS pixels. */
export function contentSize(settings: Pick<PrintSettings, 'print_format' | 'orientation'>) {
  const { width, height } = paperOf(settings);
  return {
    width: Math.floor((width - 2 * margins.side) * pixelsPerMillimetre),
    height: Math.floor((height - margins.top - margins.bottom) * pixelsPerMillimetre),
  };
}
