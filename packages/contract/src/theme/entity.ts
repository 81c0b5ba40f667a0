import { z } from 'zod';
import { colour, line, text, themeMode, webUrl } from '../fields.ts';
import { platforms } from '../platforms.ts';

/** The colours of one mode. */
export const palette = z.object({
  primary: colour,
  background: colour,
  surface: colour,
  text: colour,
  muted: colour,
  border: colour,
  success: colour,
  warning: colour,
  danger: colour,
});
export type Palette = z.infer<typeof palette>;

/** Everything about a mode's look that is not a colour. */
export const look = z.object({
  font: line(200),
  font_mono: line(200),
  heading_weight: z.int().min(300).max(900),
  radius: z.int().min(0).max(24),
});
export type Look = z.infer<typeof look>;

const perMode = <Value extends z.ZodType>(value: Value) => z.object({ light: value, dark: value });

export const themeLink = z.object({ label: line(60).min(1), url: webUrl });

export const themeTexts = z.object({
  tagline: line(200),
  about: text(20_000),
  terms_of_service: text(60_000),
  privacy_policy: text(60_000),
  footer: line(200),
});

/** A path below the root, or a web address. */
const linkTarget = z.union([
  webUrl,
  z
    .string()
    .max(500)
    .regex(/^\/(?!\/)[^\s\\]*$/, 'Must be a local path or a web address'),
]);

/** The platform config of spec section 3: everything a user sees that names or colours the product. */
export const theme = z.object({
  name: line(60).min(1),
  web_name: line(60).min(1),
  title: line(120),
  description: line(300),
  app_url: webUrl,
  contact_us_url: linkTarget,
  marketing_url: webUrl.nullable(),
  legal_address: text(500),
  logo: z.string().nullable(),
  logo_with_name: z.string().nullable(),
  dark_logo: z.string().nullable().describe('In the dark mode; null: the logo of the light mode'),
  dark_logo_with_name: z.string().nullable().describe('In the dark mode; null: the one of the light mode'),
  email_logo: z.string().nullable(),
  light_watermark: z.string().nullable(),
  dark_watermark: z.string().nullable(),
  palettes: perMode(palette),
  themes: perMode(look),
  theme_default_mode: themeMode,
  theme_names: perMode(line(40).min(1)),
  hide_legal_links: z.boolean(),
  hide_loader: z.boolean(),
  texts: themeTexts,
  links: z.array(themeLink).max(12),
  platform: z.enum(platforms),
  parent_meta: z.object({ name: z.string(), web_name: z.string() }),
  backend: z.string(),
  root_path: z.string(),
});
export type Theme = z.infer<typeof theme>;

/** What an admin may change; pictures go by `upload_ids`. */
export const themeUpdate = z.strictObject({
  name: theme.shape.name.optional(),
  web_name: theme.shape.web_name.optional(),
  title: theme.shape.title.optional(),
  description: theme.shape.description.optional(),
  contact_us_url: theme.shape.contact_us_url.optional(),
  marketing_url: theme.shape.marketing_url.optional(),
  legal_address: theme.shape.legal_address.optional(),
  palettes: z
    .strictObject({ light: palette.partial().strict(), dark: palette.partial().strict() })
    .partial()
    .optional(),
  themes: z.strictObject({ light: look.partial().strict(), dark: look.partial().strict() }).partial().optional(),
  theme_default_mode: themeMode.optional(),
  theme_names: z.strictObject(theme.shape.theme_names.shape).partial().optional(),
  hide_legal_links: z.boolean().optional(),
  hide_loader: z.boolean().optional(),
  texts: themeTexts.partial().strict().optional(),
  links: theme.shape.links.optional(),
});
export type ThemeUpdate = z.infer<typeof themeUpdate>;

export const themePictures = [
  'logo',
  'logo_with_name',
  'dark_logo',
  'dark_logo_with_name',
  'email_logo',
  'light_watermark',
  'dark_watermark',
] as const;
export type ThemePicture = (typeof themePictures)[number];
