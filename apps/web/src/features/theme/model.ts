import type { Palette, Theme, ThemePicture, ThemeUpdate } from '@atoll/contract/theme/entity';
import { contrast, readableContrast, readableOn } from '../../ui/theme/colour.ts';

export const parts = {
  identity: 'Identity',
  colours: 'Colours',
  look: 'Appearance',
  pictures: 'Pictures',
  texts: 'Texts',
  links: 'Links',
} as const;
export type Part = keyof typeof parts;

export const parsePart = (search: Record<string, unknown>): { part?: Part } => ({
  part: typeof search.part === 'string' && Object.hasOwn(parts, search.part) ? (search.part as Part) : undefined,
});

const editable = [
  'name',
  'web_name',
  'title',
  'description',
  'contact_us_url',
  'marketing_url',
  'legal_address',
  'palettes',
  'themes',
  'theme_default_mode',
  'theme_names',
  'hide_legal_links',
  'hide_loader',
  'texts',
  'links',
] as const satisfies (keyof ThemeUpdate & keyof Theme)[];

export const pictures: Record<ThemePicture, { label: string; description: string }> = {
  logo: { label: 'Logo', description: 'Square; beside the name and as the icon of the tab.' },
  logo_with_name: { label: 'Logo with name', description: 'Wide; replaces logo and name in the sidebar.' },
  dark_logo: { label: 'Logo, dark', description: 'In the dark mode, instead of the logo.' },
  dark_logo_with_name: {
    label: 'Logo with name, dark',
    description: 'In the dark mode, instead of the logo with name.',
  },
  email_logo: { label: 'Logo in mail', description: 'PNG or JPEG is shown by every mail program.' },
  light_watermark: { label: 'Watermark, light', description: 'On public pages and prints in the light mode.' },
  dark_watermark: { label: 'Watermark, dark', description: 'On public pages and prints in the dark mode.' },
};
export const pictureNames = Object.keys(pictures) as ThemePicture[];

/** The hue of the light mode's primary colour, as light as the dark mode needs it. */
export const darkPrimary = (primary: string, { background, surface }: Palette): string =>
  readableOn(primary, surface, background);

/** Only what differs, as deep as it can be said; empty when nothing does. */
export function toUpdate(before: Theme, after: Theme): ThemeUpdate {
  return difference(pick(before), pick(after)) ?? {};
}

const pick = (theme: Theme) => Object.fromEntries(editable.map((name) => [name, theme[name]]));

type Tree = { [name: string]: unknown };
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

function difference(before: Tree, after: Tree): Tree | undefined {
  const changed = Object.entries(after).flatMap(([name, value]) => {
    const old = before[name];
    if (isTree(old) && isTree(value)) {
      const inner = difference(old, value);
      return inner ? [[name, inner] as const] : [];
    }
    return JSON.stringify(old) === JSON.stringify(value) ? [] : [[name, value] as const];
  });
  return changed.length ? Object.fromEntries(changed) : undefined;
}

export interface ContrastWarning {
  colour: keyof Palette;
  on: 'background' | 'surface';
  ratio: number;
}

/** Pairs that people have to read; the ones the workspace mends by itself (links, fills) are not among them. */
export function contrastWarnings(palette: Palette): ContrastWarning[] {
  return (['text', 'muted'] as const).flatMap((colour) =>
    (['background', 'surface'] as const)
      .map((on) => ({ colour, on, ratio: contrast(palette[colour], palette[on]) }))
      .filter(({ ratio }) => ratio < readableContrast),
  );
}

/** Colours that are shown darker or lighter where they carry words, because as they are nobody could read them. */
export function adjustedColours(palette: Palette): (keyof Palette)[] {
  return (['primary', 'success', 'warning', 'danger'] as const).filter(
    (colour) => contrast(palette[colour], palette.surface) < readableContrast,
  );
}
