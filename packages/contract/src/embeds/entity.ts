import { z } from 'zod';
import { id } from '../fields.ts';

/** A wildcard needs a registered domain above it; the server refuses public suffixes such as `co.uk`. */
const site = /^https?:\/\/(?:\*(?:\.[a-z0-9-]+){2,}|[a-z0-9-]+(?:\.[a-z0-9-]+)*)(?::\d{1,5})?$/;

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

/** The spec's Embed: everyone who has its address can read the file. */
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
