import { z } from 'zod';
import { id } from '../fields.ts';

/** What of a file is shown: all of it, a cell with its code, or what a cell shows. */
export const embedTypes = ['file', 'cell', 'chart'] as const;
export type EmbedType = (typeof embedTypes)[number];

const site = /^https?:\/\/(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?$/;

/** An origin as `frame-ancestors` knows it, or `*` for every site. */
export const allowedSite = z
  .string()
  .trim()
  .max(255)
  .transform((value) => value.toLowerCase().replace(/\/$/, ''))
  .refine(
    (value) => value === '*' || site.test(value),
    'Must be a site such as https://example.org or https://*.example.org, or *',
  );

/** The spec's Embed: whoever knows its address reads the file. */
export const fileEmbed = z.object({
  id,
  project_id: id,
  file: z.object({ id, name: z.string() }),
  execution_enabled: z.boolean(),
  execution_copy_project_files: z.boolean(),
  allowed_sites: z.array(z.string()).describe('Sites that may show it in a frame; `*` for every site'),
  path: z.string().describe('Where the file is shown, below the address of the product'),
});
export type FileEmbed = z.infer<typeof fileEmbed>;

/** The address of what is embedded. */
export const embedPath = (type: EmbedType, projectId: string, fileId: string, entityId: string): string =>
  `/embed/${type}/${projectId}/${fileId}/${encodeURIComponent(entityId)}`;

const attribute = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

interface EmbedFrame {
  /** With its origin. */
  url: string;
  title: string;
  width?: number;
  height?: number;
}

/** What an author puts into their page: the frame, and the script that makes it as tall as what is in it. */
export const embedCode = (origin: string, { url, title, width, height = 400 }: EmbedFrame): string =>
  `<iframe src="${attribute(url)}" title="${attribute(title)}" width="${width ?? '100%'}" height="${height}" style="border:0" loading="lazy" data-atoll-embed></iframe>
<script async src="${attribute(origin)}/assets/embed.js"></script>`;
