import type { Theme } from '@atoll/contract/theme/entity';
import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type MantineThemeOverride,
  type VariantColorsResolver,
} from '@mantine/core';
import { shades } from './colour.ts';
import { meanings, modeVariables } from './mode-variables.ts';

/** Five sizes of type and spacing in fours; everything else comes from the platform theme. */
export function toMantine(theme: Theme): MantineThemeOverride {
  const { light } = theme.palettes;
  return createTheme({
    primaryColor: 'primary',
    primaryShade: 6,
    colors: Object.fromEntries(meanings.map((name) => [name, shades(light[name]) as unknown as MantineColorsTuple])),
    fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '17px', xl: '24px' },
    lineHeights: { xs: '1.4', sm: '1.5', md: '1.55', lg: '1.45', xl: '1.3' },
    spacing: { xs: '4px', sm: '8px', md: '16px', lg: '24px', xl: '40px' },
    headings: {
      sizes: {
        h1: { fontSize: '24px', lineHeight: '1.3' },
        h2: { fontSize: '17px', lineHeight: '1.45' },
        h3: { fontSize: '14px', lineHeight: '1.55' },
      },
    },
    defaultRadius: 'md',
    cursorType: 'pointer',
    respectReducedMotion: true,
    focusRing: 'auto',
    variantColorResolver,
    components,
  });
}

export const toVariables =
  (theme: Theme): CSSVariablesResolver =>
  () => ({
    variables: {},
    light: modeVariables(theme.palettes.light, theme.themes.light),
    dark: modeVariables(theme.palettes.dark, theme.themes.dark),
  });

/** The text on a fill differs by mode when the fill does, so it is a variable and not a value. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const resolved = defaultVariantColorsResolver(input);
  const name = meanings.find((meaning) => meaning === (input.color ?? 'primary'));
  return input.variant === 'filled' && name ? { ...resolved, color: `var(--on-${name})` } : resolved;
};

const quick = { duration: 120 };

/** A dialog's heading is a `header` element, which would count as a second banner of the page. */
const dialog = {
  transitionProps: quick,
  closeButtonProps: { 'aria-label': 'Close' },
  attributes: { header: { role: 'presentation' } },
};

const components: MantineThemeOverride['components'] = {
  Button: { defaultProps: { size: 'sm' } },
  ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
  TextInput: { defaultProps: { size: 'sm' } },
  PasswordInput: { defaultProps: { size: 'sm' } },
  Textarea: { defaultProps: { size: 'sm' } },
  Select: { defaultProps: { size: 'sm', allowDeselect: false } },
  Switch: { defaultProps: { size: 'sm' } },
  Badge: { defaultProps: { tt: 'none', fw: 550, variant: 'light' } },
  Alert: { defaultProps: { variant: 'light' }, styles: { message: { color: 'var(--ink)' } } },
  Text: { defaultProps: { size: 'md' } },
  Tooltip: {
    defaultProps: { openDelay: 350, transitionProps: quick },
    styles: { tooltip: { background: 'var(--ink)', color: 'var(--surface)' } },
  },
  Menu: { defaultProps: { shadow: 'md', transitionProps: quick, withInitialFocusPlaceholder: false } },
  Modal: {
    defaultProps: { ...dialog, centered: true, overlayProps: { backgroundOpacity: 0.4 } },
    // A long name takes two lines.
    styles: { title: { lineHeight: 1.3 } },
  },
  Drawer: { defaultProps: dialog },
};
