import { z } from 'zod';
import { deliverySettings } from '../deliveries/entity.ts';
import { id, line, themeMode, time } from '../fields.ts';
import { orientations, type PrintFormat, printFormats } from './formats.ts';

const printFormatNames = Object.keys(printFormats) as [PrintFormat, ...PrintFormat[]];

/** How a publication is printed. */
export const printSettings = z.object({
  cell_ids: z.array(z.string().min(1).max(64)).max(10_000).nullable().describe('Cells to print; null for all'),
  title: line(200).describe("Printed above; empty for the publication's own"),
  print_format: z.enum(printFormatNames),
  orientation: z.enum(orientations),
  print_theme: themeMode,
  print_width: z
    .int()
    .min(400)
    .max(2_400)
    .nullable()
    .describe('Pixels that fit between the margins; null for the natural size of text'),
  print_cover: z.boolean().describe("Whether the publication's cover picture is printed above the title"),
  header_text: line(200),
  footer_text: line(200),
  header_date: z.boolean().describe('Whether the date is printed at the top of each page'),
});
export type PrintSettings = z.infer<typeof printSettings>;

export const defaultPrintSettings: PrintSettings = {
  cell_ids: null,
  title: '',
  print_format: 'A4',
  orientation: 'portrait',
  print_theme: 'light',
  print_width: null,
  print_cover: false,
  header_text: '',
  footer_text: '',
  header_date: true,
};

/** The spec's external publication: print settings of a publication, by the id of that. */
export const externalPublication = printSettings.extend({
  id,
  enabled: z.boolean().describe('Whether it is among the reports'),
  delivery: deliverySettings,
  updated_at: time.nullable().describe('Null while nothing was set'),
});
export type ExternalPublication = z.infer<typeof externalPublication>;
