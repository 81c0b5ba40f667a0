import type { Palette, Theme } from '@atoll/contract/theme/entity';
import { describe, expect, it } from 'vitest';
import { adjustedColours, contrastWarnings, parsePart, toUpdate } from './model.ts';

const palette: Palette = {
  primary: '#0f766e',
  background: '#f7f8f7',
  surface: '#ffffff',
  text: '#17201f',
  muted: '#5b6765',
  border: '#e0e5e3',
  success: '#15803d',
  warning: '#a16207',
  danger: '#b42318',
};
const theme = {
  name: 'Reef',
  platform: 'atoll',
  palettes: { light: palette, dark: palette },
  links: [{ label: 'Us', url: 'https://example.com' }],
} as Theme;

describe('toUpdate', () => {
  it('is empty when nothing changed', () => expect(toUpdate(theme, structuredClone(theme))).toEqual({}));
  it('names only the colour that changed', () => {
    const palettes = { ...theme.palettes, dark: { ...palette, primary: '#fff000' } };
    expect(toUpdate(theme, { ...theme, palettes })).toEqual({ palettes: { dark: { primary: '#fff000' } } });
  });
  it('sends a list whole', () => expect(toUpdate(theme, { ...theme, links: [] })).toEqual({ links: [] }));
  it('leaves out what an admin may not change', () =>
    expect(toUpdate(theme, { ...theme, platform: 'dpasa', name: 'Bay' })).toEqual({ name: 'Bay' }));
});

describe('contrast', () => {
  it('is content with readable colours', () => expect(contrastWarnings(palette)).toEqual([]));
  it('names each pair that cannot be read', () => {
    const found = contrastWarnings({ ...palette, muted: '#aaaaaa' });
    expect(found.map(({ colour, on }) => `${colour} on ${on}`)).toEqual(['muted on background', 'muted on surface']);
    expect(found[0]?.ratio).toBeLessThan(4.5);
  });
  it('says which colours are shown otherwise', () =>
    expect(adjustedColours({ ...palette, primary: '#2dd4bf' })).toEqual(['primary']));
});

describe('parsePart', () => {
  it('knows the parts and nothing else', () => {
    expect(parsePart({ part: 'texts' })).toEqual({ part: 'texts' });
    expect(parsePart({ part: 'toString' })).toEqual({ part: undefined });
  });
});
