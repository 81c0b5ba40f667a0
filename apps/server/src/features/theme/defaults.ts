import type { Look, Palette, Platform, Theme } from '@atoll/contract';
import { legalTexts } from './default-texts.ts';
import { marks } from './marks.ts';

/** The three themes that ship: different products to look at, one code base. */

interface Variant {
  name: string;
  title: string;
  description: string;
  tagline: string;
  light: Palette;
  dark: Palette;
  look: Look;
  modeNames: { light: string; dark: string };
  defaultMode: 'light' | 'dark';
}

const sans = "'Inter Variable', Inter, system-ui, sans-serif";
const mono = "'JetBrains Mono Variable', ui-monospace, monospace";

const variants: Record<Platform, Variant> = {
  atoll: {
    name: 'Atoll',
    title: 'Atoll workspace',
    description: 'Notebooks, dashboards, apps and strategies in one place, run for real and shared with your team.',
    tagline: 'Think in notebooks, ship what works.',
    light: {
      primary: '#0f766e',
      background: '#f7f8f7',
      surface: '#ffffff',
      text: '#17201f',
      muted: '#5b6765',
      border: '#e0e5e3',
      success: '#15803d',
      warning: '#a16207',
      danger: '#b42318',
    },
    dark: {
      primary: '#2dd4bf',
      background: '#0e1413',
      surface: '#151d1c',
      text: '#e6edeb',
      muted: '#98a6a3',
      border: '#25302e',
      success: '#4ade80',
      warning: '#facc15',
      danger: '#f87171',
    },
    look: { font: sans, font_mono: mono, heading_weight: 600, radius: 8 },
    modeNames: { light: 'Light', dark: 'Dark' },
    defaultMode: 'light',
  },
  crypto: {
    name: 'Meridian',
    title: 'Meridian trading workspace',
    description: 'Research, back-test and run trading strategies on demo money or on your exchange.',
    tagline: 'From idea to order, with the evidence in between.',
    light: {
      primary: '#4338ca',
      background: '#f6f6fb',
      surface: '#ffffff',
      text: '#14142b',
      muted: '#5d5d7a',
      border: '#e1e1ee',
      success: '#047857',
      warning: '#b45309',
      danger: '#be123c',
    },
    dark: {
      primary: '#f5b83d',
      background: '#0b0c12',
      surface: '#13151e',
      text: '#eceef6',
      muted: '#989db3',
      border: '#242838',
      success: '#34d399',
      warning: '#fbbf24',
      danger: '#fb7185',
    },
    look: { font: sans, font_mono: mono, heading_weight: 650, radius: 4 },
    modeNames: { light: 'Light', dark: 'Dark' },
    defaultMode: 'dark',
  },
  dpasa: {
    name: 'Folio',
    title: 'Folio, research you can read and rerun',
    description: 'Published analyses with their data, their code and a button to run them again.',
    tagline: 'Analyses you can read, question and run again.',
    light: {
      primary: '#9a3412',
      background: '#fbf8f3',
      surface: '#fffdfa',
      text: '#2a211b',
      muted: '#6d6057',
      border: '#e9e0d5',
      success: '#3f6212',
      warning: '#92400e',
      danger: '#b91c1c',
    },
    dark: {
      primary: '#fb923c',
      background: '#181310',
      surface: '#211b17',
      text: '#f3ebe3',
      muted: '#b3a59a',
      border: '#372d26',
      success: '#a3e635',
      warning: '#fbbf24',
      danger: '#f87171',
    },
    look: { font: "Charter, 'Iowan Old Style', Georgia, serif", font_mono: mono, heading_weight: 600, radius: 2 },
    modeNames: { light: 'Light', dark: 'Dark' },
    defaultMode: 'light',
  },
};

export function defaultTheme(platform: Platform, appUrl: string): Theme {
  const variant = variants[platform];
  const mark = marks[platform];
  return {
    name: variant.name,
    web_name: variant.name,
    title: variant.title,
    description: variant.description,
    app_url: appUrl,
    contact_us_url: '/contact-us',
    marketing_url: null,
    legal_address: '',
    logo: mark,
    logo_with_name: null,
    dark_logo: null,
    dark_logo_with_name: null,
    email_logo: null,
    light_watermark: null,
    dark_watermark: null,
    palettes: { light: variant.light, dark: variant.dark },
    themes: { light: variant.look, dark: variant.look },
    theme_default_mode: variant.defaultMode,
    theme_names: variant.modeNames,
    hide_legal_links: false,
    hide_loader: false,
    texts: { tagline: variant.tagline, footer: '', ...legalTexts(variant.name, variant.description) },
    links: [],
    platform,
    parent_meta: { name: variant.name, web_name: variant.name },
    backend: appUrl,
    root_path: '/',
  };
}
