import type { Look, Palette } from '@atoll/contract/theme/entity';
import { mix, readableOn, shades, textOn } from './colour.ts';

type Variables = Record<string, string>;

/** Colours with a meaning; the component set knows each by this name. */
export const meanings = ['primary', 'success', 'warning', 'danger'] as const;
export type Meaning = (typeof meanings)[number];

/** Every CSS variable one mode sets. Components use these and no colour of their own. */
export function modeVariables(palette: Palette, look: Look): Variables {
  const { background, surface, text, muted, border } = palette;
  const hover = mix(surface, text, 0.05);
  const link = readableOn(palette.primary, surface, background, hover);
  return {
    '--page': background,
    '--surface': surface,
    '--raised': mix(surface, text, 0.03),
    '--hover': hover,
    '--pressed': mix(surface, text, 0.09),
    '--line': border,
    '--line-strong': mix(border, text, 0.18),
    '--ink': text,
    '--ink-muted': muted,
    '--link': link,
    '--mantine-color-body': background,
    '--mantine-color-text': text,
    '--mantine-color-bright': text,
    '--mantine-color-dimmed': muted,
    '--mantine-color-placeholder': muted,
    '--mantine-color-anchor': link,
    '--mantine-color-default': surface,
    '--mantine-color-default-hover': hover,
    '--mantine-color-default-color': text,
    '--mantine-color-default-border': border,
    '--mantine-color-error': readableOn(palette.danger, surface, background),
    '--mantine-color-gray-light': hover,
    '--mantine-color-gray-light-hover': hover,
    '--mantine-color-gray-light-color': muted,
    '--mantine-color-gray-outline': muted,
    '--mantine-color-disabled': mix(surface, text, 0.06),
    '--mantine-color-disabled-color': mix(surface, text, 0.5),
    '--mantine-color-disabled-border': border,
    ...Object.assign({}, ...meanings.map((name) => meaningVariables(name, palette))),
    ...neutralVariables(palette),
    ...lookVariables(look),
  };
}

function meaningVariables(name: Meaning, palette: Palette): Variables {
  const colour = palette[name];
  const tint = mix(palette.surface, colour, 0.12);
  const tintHover = mix(palette.surface, colour, 0.18);
  const written = readableOn(colour, tintHover, tint, palette.surface, palette.background);
  const color = (suffix: string) => `--mantine-color-${name}-${suffix}`;
  return {
    [`--on-${name}`]: textOn(colour),
    [`--${name}`]: colour,
    [`--${name}-ink`]: written,
    [`--${name}-tint`]: tint,
    ...Object.fromEntries(shades(colour).map((shade, index) => [color(String(index)), shade])),
    [color('filled')]: colour,
    [color('filled-hover')]: mix(colour, textOn(colour) === '#ffffff' ? '#000000' : '#ffffff', 0.1),
    [color('light')]: tint,
    [color('light-hover')]: tintHover,
    [color('light-color')]: written,
    [color('outline')]: written,
    [color('outline-hover')]: tint,
    [color('text')]: written,
  };
}

/** The component set's own neutrals, remade from the palette: whichever of its rules applies, the colours are ours. */
function neutralVariables({ background, surface, text, muted, border }: Palette): Variables {
  const line = mix(border, text, 0.12);
  const hover = mix(surface, text, 0.05);
  const dark = [text, mix(text, muted, 0.5), muted, muted, line, hover, surface, surface, background, background];
  const gray = [hover, hover, border, border, line, muted, muted, mix(muted, text, 0.5), text, text];
  const name = (ramp: string) => (shade: string, index: number) => [`--mantine-color-${ramp}-${index}`, shade];
  return Object.fromEntries([...dark.map(name('dark')), ...gray.map(name('gray'))]);
}

function lookVariables(look: Look): Variables {
  const radius = (factor: number) => `${Math.round(look.radius * factor)}px`;
  return {
    '--mantine-font-family': fontStack(look.font),
    '--mantine-font-family-headings': fontStack(look.font),
    '--mantine-font-family-monospace': fontStack(look.font_mono),
    ...Object.fromEntries(
      [1, 2, 3, 4].map((order) => [`--mantine-h${order}-font-weight`, String(look.heading_weight)]),
    ),
    '--mantine-radius-xs': radius(0.5),
    '--mantine-radius-sm': radius(0.75),
    '--mantine-radius-md': radius(1),
    '--mantine-radius-lg': radius(1.5),
    '--mantine-radius-xl': radius(2),
    '--mantine-radius-default': radius(1),
  };
}

/** A font name goes into a style sheet as it is, so nothing that could end the declaration may be in it. */
const fontStack = (font: string): string => font.replace(/[{}<>;\\]/g, '') || 'sans-serif';
